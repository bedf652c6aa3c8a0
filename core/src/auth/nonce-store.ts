import { Database } from '../database/database.js'
import { digest, digestAlgorithms } from '../signatures/index.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'
const TRUSTED = digestAlgorithms.filter(({ trusted }) => trusted).map(({ oid }) => oid)

/**
 * Keeps the nonces that were given out, shared by all hosts, as their digests under every trusted algorithm: a detached
 * signature says no more about what it is over.
 */
export class NonceStore {
  static readonly inject = [Database] as const

  constructor(private readonly database: Database) {}

  async add(nonce: Uint8Array, expiresAt: number): Promise<void> {
    await this.#insert(
      TRUSTED.map((oid) => digest(oid, nonce)),
      expiresAt,
      false,
    )
  }

  /** Keeps the digests of an XML document around a nonce that is used up. */
  async addUsed(digests: readonly Uint8Array[], expiresAt: number): Promise<void> {
    await this.#insert(digests, expiresAt, true)
  }

  /** Uses a nonce up. Of any number of callers at the same time one gets `true`; nobody does when it has expired. */
  async consume(nonce: Uint8Array, now: number): Promise<boolean> {
    const consumed = await this.database.transaction(() =>
      this.database
        .query('registry_nonces')
        .where({ digest: digest(SHA_256, nonce), used: false })
        .andWhere('expires_at', '>', now)
        .update({ used: true }),
    )
    return consumed === 1
  }

  /** True when one of the digests is that of a nonce which has not been forgotten. */
  async knows(digests: readonly Uint8Array[]): Promise<boolean> {
    const known = await this.database
      .query('registry_nonces')
      .whereIn('digest', [...digests])
      .first('digest')
    return known !== undefined
  }

  /** Forgets the nonces that expired before a time. */
  async forget(before: number): Promise<void> {
    await this.database.transaction(async () => {
      await this.database.query('registry_nonces').where('expires_at', '<', before).delete()
    })
  }

  async #insert(digests: readonly Uint8Array[], expiresAt: number, used: boolean): Promise<void> {
    const rows = digests.map((value) => ({ digest: value, expires_at: expiresAt, used }))
    await this.database.transaction(async () => {
      await this.database.query('registry_nonces').insert(rows)
    })
  }
}
