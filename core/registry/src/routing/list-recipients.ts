import Type, { type Static } from 'typebox'
import { Timeline } from '../database/timeline.js'
import type { Caller } from '../identity/index.js'
import { OrganizationRights, told } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { PartyNames } from '../parties/index.js'
import { namesIn } from './item-names.js'
import { ItemStore } from './item-store.js'
import { RoutingLimits } from './limits.js'
import { listName } from './move-items.js'

/** Answer of `GET /api/recipients`. */
export const Recipients = Type.Object(
  {
    recipients: Type.Array(
      Type.Object({
        to: Type.String({ description: 'IIN or BIN' }),
        name: Type.Optional(Type.String({ description: 'as in certificates; of a person once they have acted' })),
        lastSentAt: Type.Integer({ description: 'milliseconds' }),
      }),
    ),
  },
  { $id: 'Recipients' },
)
export type Recipients = Static<typeof Recipients>

/** Lists to whom the caller or their organization has sent something, newest first (ours). */
export class ListRecipients {
  static readonly operation = operation({
    id: 'listRecipients',
    group: 'routing',
    at: 'GET /recipients',
    who: told('of what they sent: people; of the organization: who has `routedDocumentsPackagesView`'),
    summary: 'List to whom you have sent something, newest first',
    description: 'Of the 500 items that were sent last: each receiver once. Ours.',
    answer: Recipients,
    refuses: ['accessDenied', 'authenticationRequired'],
  })
  static readonly inject = {
    rights: OrganizationRights,
    timeline: Timeline,
    items: ItemStore,
    names: PartyNames,
    clock: Clock,
    limits: RoutingLimits,
  }

  constructor(private readonly use: Injected<typeof ListRecipients.inject>) {}

  async execute(caller: Caller): Promise<Recipients> {
    const party = await this.use.rights.partyOf(caller, 'routedDocumentsPackagesView')
    const window = { from: 0, until: this.use.clock.now() + 1 }
    const page = await this.use.timeline.page(listName('outgoing', party), window, this.use.limits.recipientItems)
    const items = await this.use.items.list(page.slice(0, this.use.limits.recipientItems).map(({ item }) => item))
    const names = await this.use.names.of(items.map(({ receiver }) => receiver))
    const found = new Map<string, Recipients['recipients'][number]>()
    for (const item of items) {
      const { receiver: to, sentAt: lastSentAt } = item
      const known = found.get(to) ?? { to, lastSentAt }
      const name = known.name ?? namesIn(item, names).receiverName
      found.set(to, { ...known, ...(name !== undefined && { name }) })
    }
    return { recipients: [...found.values()] }
  }
}
