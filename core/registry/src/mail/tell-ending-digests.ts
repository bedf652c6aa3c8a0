import { Database } from '../database/database.js'
import { Deliveries } from '../deliveries/index.js'
import { DigestEnds, type EndingOwner, EndingOwners } from '../documents/index.js'
import { newId } from '../kernel/ids.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationStore } from '../organizations/index.js'
import { UserSettingsStore } from '../settings/index.js'
import { digestAlgorithm } from '../signatures/index.js'
import { MailDeliveries } from './mail-subscriber.js'
import { Mailer } from './mailer.js'
import { inLanguage, type SettingsAddress } from './routing-addresses.js'

const AT_ONCE = 100

/** Tells owners of documents, once for each digest, that the originals have to be brought again before it ends. */
export class TellEndingDigests {
  static readonly task = { name: 'tellEndingDigests', schedule: '7 * * * *' }
  static readonly inject = {
    mailer: Mailer,
    ends: DigestEnds,
    owners: EndingOwners,
    users: UserSettingsStore,
    organizations: OrganizationStore,
    mails: MailDeliveries,
    deliveries: Deliveries,
    database: Database,
  }

  constructor(private readonly use: Injected<typeof TellEndingDigests.inject>) {}

  async run(): Promise<void> {
    const { mailer, ends, owners, database } = this.use
    if (mailer === undefined || !ends.areNear) return
    for (let some = await owners.untold(AT_ONCE); some.length > 0; some = await owners.untold(AT_ONCE, some.at(-1)))
      for (const one of some) await database.transaction(() => this.tell(one))
  }

  /** Who has no address is told once there is one. */
  private async tell({ owner, algorithm }: EndingOwner): Promise<void> {
    const { ends, owners, deliveries, mails } = this.use
    const until = ends.longest([algorithm])?.until ?? Number.POSITIVE_INFINITY
    if (!ends.isNear(until)) return
    const address = await this.addressOf(owner)
    const documents = address === undefined ? 0 : await owners.documentsOf(owner)
    if (address === undefined || documents === 0 || !(await owners.tell({ owner, algorithm }))) return
    const digest = digestAlgorithm(algorithm).name
    const news = { kind: 'digestsEnding', owner, digest, until, documents } as const
    await deliveries.add(mails.of([{ ...address, owner, eventId: newId(), news }]))
  }

  /** The contact for the archive, where an owner has one: it is about originals. */
  private async addressOf(owner: string): Promise<SettingsAddress | undefined> {
    if (owner.startsWith('BIN')) {
      const { choices } = await this.use.organizations.choices.get(owner)
      const to = choices.dataArchiveContactEmail || choices.subscriptionContactEmail || choices.routingContactEmail
      return to === '' ? undefined : { to }
    }
    const { choices } = await this.use.users.choices.get(owner)
    const to = choices.dataArchiveContactEmail || choices.email
    return to === '' ? undefined : { to, ...inLanguage(choices.notificationsLanguage) }
  }
}
