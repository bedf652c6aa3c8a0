import Type, { type Static } from 'typebox'
import { AuditStore } from '../audit/index.js'
import { Database } from '../database/database.js'
import { Groups } from '../database/groups.js'
import { insertOrLose } from '../database/insert-or-lose.js'
import { flag, integer, json, optional, places, type Stored, table, text, word } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { checkEmails } from '../settings/index.js'
import { organizationErrors } from './errors.js'

/** Names of subscriptions; their translations are in `consts.subscriptions` of the strings registry. */
export const SUBSCRIPTIONS = ['free', 'basic', 'standard', 'premium'] as const
export type SubscriptionName = (typeof SUBSCRIPTIONS)[number]

/** Features of a subscription; translations are in `consts.subscriptionFeatures` of the strings registry. */
export const FEATURES = [
  'documentsRegistration',
  'documentsArchive',
  'documentsPackages',
  'documentsRouting',
  'documentsCards',
  'governmentMobileSigning',
  'webhooks',
  'vehicleRegistration',
] as const
export type Feature = (typeof FEATURES)[number]

/** Answer of `GET /api/organizationSubscription` (specification, "Subscription"). */
export const OrganizationSubscription = Type.Object(
  {
    name: Type.String(),
    expires: Type.Integer({ description: '0 without expiry' }),
    contactEmail: Type.Optional(Type.String()),
    features: Type.Array(Type.Object({ name: Type.String(), enabled: Type.Boolean() })),
  },
  { $id: 'OrganizationSubscription' },
)
export type OrganizationSubscription = Static<typeof OrganizationSubscription>

/** Changes of a subscription by an administrator; omitted fields keep their values. */
export interface SubscriptionChange {
  readonly name?: SubscriptionName | undefined
  /** Milliseconds; 0 without expiry. */
  readonly expires?: number | undefined
  /** Empty for none. */
  readonly contactEmail?: string | undefined
  readonly enable?: readonly Feature[] | undefined
  readonly disable?: readonly Feature[] | undefined
}

const subscriptionsTable = table('registry_subscriptions', {
  name: word('name', SUBSCRIPTIONS),
  /** Milliseconds; 0 without expiry. */
  expires: integer('expires'),
  contactEmail: optional(text('contact_email')),
  /** All other features are on, including those of later versions. */
  disabledFeatures: json<readonly Feature[]>('disabled_features'),
})
/** What the organization has yet to be told. */
const newsTable = table(subscriptionsTable.name, {
  bin: text('bin'),
  changeToTell: flag('change_to_tell'),
  endingToldAt: optional(integer('ending_told_at')),
  endedToldAt: optional(integer('ended_told_at')),
})

/** News for an organization about its subscription. */
export interface SubscriptionNews {
  readonly bin: string
  readonly what: 'changed' | 'ending' | 'ended'
  readonly name: SubscriptionName
  /** Milliseconds; 0 without expiry. */
  readonly expires: number
  readonly contactEmail: string | undefined
}

const DAY = 24 * 60 * 60 * 1000
/** How long before its end an organization is told. */
const ENDING_MS = 14 * DAY
type Subscription = Stored<typeof subscriptionsTable>

/** The default subscription. */
const free: Subscription = { name: 'free', expires: 0, contactEmail: undefined, disabledFeatures: [] }

/** Keeps the subscriptions of organizations and decides which features they have. */
export class Subscriptions {
  static readonly inject = { database: Database, audit: AuditStore, clock: Clock }

  private readonly questions = new Groups((bins: readonly string[]) => this.findAll(bins))

  constructor(private readonly use: Injected<typeof Subscriptions.inject>) {}

  /** The current subscription of a BIN. */
  async get(bin: string): Promise<OrganizationSubscription> {
    return this.describe((await this.find(bin)) ?? free)
  }

  /** Changes a subscription on behalf of an administrator. Rejects with `invalidNotificationEmail`. */
  async change(bin: string, change: SubscriptionChange, administrator: string): Promise<OrganizationSubscription> {
    const { name, expires, contactEmail, enable = [], disable = [] } = change
    checkEmails({ contactEmail })
    return this.use.database.transaction(async () => {
      const before = await this.lock(bin)
      const disabled = before.disabledFeatures.filter((feature) => !enable.includes(feature))
      const after = {
        name: name ?? before.name,
        expires: expires ?? before.expires,
        contactEmail: contactEmail === undefined ? before.contactEmail : contactEmail || undefined,
        disabledFeatures: [...new Set([...disabled, ...disable])],
      }
      await this.row(bin).update({
        ...subscriptionsTable.row(after),
        ...newsTable.row({ changeToTell: true }),
        ...(after.expires !== before.expires && newsTable.row({ endingToldAt: undefined, endedToldAt: undefined })),
      })
      await this.use.audit.append({
        ownerKind: 'subscription',
        ownerId: bin,
        original: before,
        modified: after,
        administrator,
        modifiedAt: this.use.clock.now(),
      })
      return this.describe(after)
    })
  }

  /** Takes news to send now, each only once, in the caller's transaction. */
  async takeNews(limit: number): Promise<SubscriptionNews[]> {
    const now = this.use.clock.now()
    const rows: Record<string, unknown>[] = await this.use.database
      .query(subscriptionsTable.name)
      .where('change_to_tell', true)
      .orWhere((over) => over.whereBetween('expires', [1, now]).whereNull('ended_told_at'))
      .orWhere((soon) => soon.whereBetween('expires', [now + 1, now + ENDING_MS]).whereNull('ending_told_at'))
      .orderBy('bin')
      .limit(limit)
      .forUpdate()
      .select('bin', 'change_to_tell', ...subscriptionsTable.columns)
    const news: SubscriptionNews[] = []
    for (const row of rows) {
      const { name, expires, contactEmail } = subscriptionsTable.read(row)
      const { bin, changeToTell } = newsTable.read(row)
      const isOver = expires > 0 && expires <= now
      const what = changeToTell ? 'changed' : isOver ? 'ended' : 'ending'
      news.push({ bin, what, name, expires, contactEmail })
      // The mail about a change also names the end.
      const isSoon = expires > now && expires <= now + ENDING_MS
      await this.row(bin).update(
        newsTable.row({
          changeToTell: false,
          ...((isSoon || isOver) && { endingToldAt: now }),
          ...(isOver && { endedToldAt: now }),
        }),
      )
    }
    return news
  }

  /**
   * Rejects with `featureNotAvailable` when the feature is off for the organization; people without one need none. Reads of
   * concurrent registrations are batched.
   */
  async assertEnabled(bin: string | undefined, feature: Feature): Promise<void> {
    if (bin === undefined) return
    const subscription = await (this.use.database.inTransaction ? this.find(bin) : this.questions.run(bin))
    if (!this.gives(subscription ?? free, feature)) throw organizationErrors.error('featureNotAvailable', { feature })
  }

  /** Those of the organizations that have the feature. */
  async having(feature: Feature, bins: readonly string[]): Promise<ReadonlySet<string>> {
    const found = await this.findAll(bins)
    return new Set(bins.filter((_, at) => this.gives(found[at] ?? free, feature)))
  }

  private async findAll(bins: readonly string[]): Promise<(Subscription | undefined)[]> {
    const rows = await this.use.database.rows(
      `select ${['bin', ...subscriptionsTable.columns].join(', ')} from ${subscriptionsTable.name} where bin in (${places(bins)})`,
      bins,
    )
    const known = new Map(rows.map((row) => [row.bin, subscriptionsTable.read(row)]))
    return bins.map((bin) => known.get(bin))
  }

  private describe(subscription: Subscription): OrganizationSubscription {
    const { name, expires, contactEmail } = subscription
    const features = FEATURES.map((feature) => ({ name: feature, enabled: this.gives(subscription, feature) }))
    return { name, expires, ...(contactEmail !== undefined && { contactEmail }), features }
  }

  /** An expired subscription gives no features. */
  private gives({ expires, disabledFeatures }: Subscription, feature: Feature): boolean {
    return (expires === 0 || this.use.clock.now() < expires) && !disabledFeatures.includes(feature)
  }

  /** Creates the subscription if there is none and locks it for this transaction. */
  private async lock(bin: string): Promise<Subscription> {
    const known = await this.find(bin, true)
    if (known !== undefined) return known
    const row = { bin, ...subscriptionsTable.row(free) }
    await insertOrLose(this.use.database.query(subscriptionsTable.name).insert(row))
    return (await this.find(bin, true)) ?? this.lock(bin)
  }

  private async find(bin: string, lock = false): Promise<Subscription | undefined> {
    const query = this.row(bin).first(...subscriptionsTable.columns)
    const row = await (lock ? query.forUpdate() : query)
    return row && subscriptionsTable.read(row)
  }

  private row(bin: string) {
    return this.use.database.query(subscriptionsTable.name).where({ bin })
  }
}
