import { Database } from '../database/database.js'
import { Deliveries } from '../deliveries/index.js'
import type { DocumentRecord, MailsAnswer, RegistrationMails } from '../documents/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { OriginalStore, RemoveOriginals } from '../originals/index.js'
import { PackageStore } from '../packages/index.js'
import { MailLimits } from './limits.js'
import { MAIL_CHANNEL } from './mail-channel.js'
import { MailOutlook } from './mail-outlook.js'
import { Mailer } from './mailer.js'
import { RegisteredAddresses } from './registered-addresses.js'

const HOUR = 60 * 60 * 1000
/** Longer than all attempts to send a mail. */
const MAX_SPOOL_MS = 72 * HOUR
const AT_ONCE = 100

/** Decides which originals are spooled until their mails are sent, and what the answer says about them (types 1, 6 and 7). */
export class MailSpool implements RegistrationMails {
  static readonly inject = {
    mailer: Mailer,
    packages: PackageStore,
    registered: RegisteredAddresses,
    outlook: MailOutlook,
    limits: MailLimits,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof MailSpool.inject>) {}

  spoolUntil({ emailNotifications: asked }: DocumentRecord, size: number): number | undefined {
    if (this.use.mailer === undefined || asked === undefined || asked.to.length === 0) return undefined
    if (asked.doNotAttachDocument || size > this.use.limits.mailAttachment) return undefined
    return this.use.clock.now() + MAX_SPOOL_MS
  }

  async answer(document: DocumentRecord): Promise<MailsAnswer | undefined> {
    const { id, packageId, emailNotifications: asked } = document
    if (packageId !== undefined) return this.answerForPackage(packageId)
    if (asked === undefined || asked.to.length === 0) return undefined
    return this.use.outlook.of(asked.doNotAttachDocument ? [] : [id], { spooled: true })
  }

  private async answerForPackage(packageId: string): Promise<MailsAnswer | undefined> {
    const completed = await this.use.packages.get(packageId)
    const registered = this.use.registered.ofPackage(completed)
    if (registered === undefined || !(await this.use.packages.isComplete(packageId))) return undefined
    return this.use.outlook.of(registered.withoutOriginals ? [] : completed.documentsIds)
  }
}

/** Releases originals that were kept only for mails once those are sent. */
export class ReleaseSpool {
  static readonly task = { name: 'releaseSpool', schedule: '*/20 * * * * *' }
  static readonly inject = {
    originals: OriginalStore,
    removal: RemoveOriginals,
    deliveries: Deliveries,
    database: Database,
  }

  constructor(private readonly use: Injected<typeof ReleaseSpool.inject>) {}

  async run(): Promise<void> {
    for (let after = ''; ; ) {
      const spooled = await this.use.originals.spooled(after, AT_ONCE)
      const owners = spooled.flatMap(({ documentId }) => documentId ?? [])
      const pending = await this.use.deliveries.pendingOwners(MAIL_CHANNEL, owners)
      for (const { key, documentId = '' } of spooled) if (!pending.has(documentId)) await this.release(key)
      after = spooled.at(-1)?.key ?? ''
      if (spooled.length < AT_ONCE) return
    }
  }

  private async release(key: string): Promise<void> {
    const isDropped = await this.use.database.transaction(async () => {
      const kept = await this.use.originals.lockKey(key)
      if (kept?.state !== 'stored') return false
      await this.use.removal.endSpool(kept)
      return (await this.use.originals.lockKey(key))?.state === 'dropped'
    })
    if (isDropped) await this.use.removal.remove(key)
  }
}
