import { Database } from '../database/database.js'
import { Deliveries } from '../deliveries/index.js'
import type { DocumentRecord, MailsAnswer, RegistrationMails } from '../documents/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { OriginalStore, ReadOriginals, RemoveOriginals } from '../originals/index.js'
import { PackageStore } from '../packages/index.js'
import { mailErrors } from './errors.js'
import { MailLimits } from './limits.js'
import { MAIL_CHANNEL } from './mail-channel.js'
import { Mailer } from './mailer.js'

const HOUR = 60 * 60 * 1000
/** Longer than a mail is tried. */
const SPOOL_MOST_MS = 72 * HOUR
const AT_ONCE = 100

/** Says which originals are kept until their mails are out, and what the answer tells of the mails (mail types 1, 6 and 7). */
export class MailSpool implements RegistrationMails {
  static readonly inject = {
    mailer: Mailer,
    originals: ReadOriginals,
    packages: PackageStore,
    limits: MailLimits,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof MailSpool.inject>) {}

  spoolUntil({ emailNotifications: asked }: DocumentRecord, size: number): number | undefined {
    if (this.use.mailer === undefined || asked === undefined || asked.to.length === 0) return undefined
    if (asked.doNotAttachDocument || size > this.use.limits.mailAttachment) return undefined
    return this.use.clock.now() + SPOOL_MOST_MS
  }

  async answer(document: DocumentRecord, size: number): Promise<MailsAnswer | undefined> {
    const { id, packageId, emailNotifications: asked } = document
    if (packageId !== undefined) return this.answerForPackage(packageId)
    if (asked === undefined || asked.to.length === 0) return undefined
    if (this.use.mailer === undefined) return notSent()
    if (this.spoolUntil(document, size) === undefined) return { attached: false }
    const attached = (await this.use.originals.find(id, { spooled: true })) !== undefined
    return { attached, ...(!attached && { message: mailErrors.texts.originalNotAttached.message }) }
  }

  private async answerForPackage(packageId: string): Promise<MailsAnswer | undefined> {
    const { emailNotifications: asked, documentsIds } = await this.use.packages.get(packageId)
    if (asked === undefined || asked.to.length === 0 || !(await this.use.packages.isComplete(packageId)))
      return undefined
    if (this.use.mailer === undefined) return notSent()
    if (asked.doNotAttachDocuments) return { attached: false }
    for (const id of documentsIds) {
      const original = await this.use.originals.find(id)
      if (original !== undefined && original.size <= this.use.limits.mailAttachment) return { attached: true }
    }
    return { attached: false }
  }
}

const notSent = (): MailsAnswer => ({ attached: false, message: mailErrors.texts.mailNotAvailable.message })

/** Gives up originals that were kept for mails alone, once the mails are out. */
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
