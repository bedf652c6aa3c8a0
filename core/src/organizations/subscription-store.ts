import { Database } from '../database/database.js'
import { isUniqueViolation } from '../database/dialect.js'
import type { Feature, SubscriptionName } from './subscription-catalogue.js'

/** What an administrator grants to an organization. */
export interface StoredSubscription {
  readonly name: SubscriptionName
  /** Milliseconds; 0 without expiry. */
  readonly expires: number
  readonly contactEmail: string | undefined
  /** Every other feature is on, those of later versions included. */
  readonly disabledFeatures: readonly Feature[]
}

/** What an organization has until an administrator says otherwise. */
const freeSubscription: StoredSubscription = {
  name: 'free',
  expires: 0,
  contactEmail: undefined,
  disabledFeatures: [],
}

/** Keeps the subscriptions of organizations. */
export class SubscriptionStore {
  static readonly inject = [Database] as const

  constructor(private readonly database: Database) {}

  async get(bin: string): Promise<StoredSubscription> {
    return (await this.#read(bin, false)) ?? freeSubscription
  }

  /** As `get`, made where there is none; other transactions cannot change it until this one ends. */
  async lock(bin: string): Promise<StoredSubscription> {
    const known = await this.#read(bin, true)
    if (known !== undefined) return known
    try {
      await this.database.query('registry_subscriptions').insert({ bin, ...toRow(freeSubscription) })
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
    }
    return (await this.#read(bin, true)) ?? this.lock(bin)
  }

  /** Saves a subscription that is locked. */
  async save(bin: string, subscription: StoredSubscription): Promise<void> {
    await this.#row(bin).update(toRow(subscription))
  }

  async #read(bin: string, lock: boolean): Promise<StoredSubscription | undefined> {
    const query = this.#row(bin).first('name', 'expires', 'contact_email', 'disabled_features')
    const row = await (lock ? query.forUpdate() : query)
    return (
      row && {
        name: row.name,
        expires: Number(row.expires),
        contactEmail: row.contact_email ?? undefined,
        disabledFeatures: JSON.parse(row.disabled_features),
      }
    )
  }

  #row(bin: string) {
    return this.database.query('registry_subscriptions').where({ bin })
  }
}

const toRow = (subscription: StoredSubscription) => ({
  name: subscription.name,
  expires: subscription.expires,
  contact_email: subscription.contactEmail ?? null,
  disabled_features: JSON.stringify(subscription.disabledFeatures),
})
