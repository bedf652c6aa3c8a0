import { Database } from '../database/database.js'
import { Groups } from '../database/groups.js'
import { places } from '../database/rows.js'
import { bytes, flag, integer, table } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { digest, digestAlgorithms } from '../signatures/index.js'
import { newNonce } from './nonce.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'
const TRUSTED = digestAlgorithms.filter(({ trusted }) => trusted).map(({ oid }) => oid)
const LIFE = 5 * 60_000
/** A signature over an expired nonce is still no signature of a document. */
const REMEMBERED = 24 * 60 * 60_000

const noncesTable = table('registry_nonces', {
  digest: bytes('digest'),
  expiresAt: integer('expires_at'),
  used: flag('used'),
})

/**
 * Keeps the nonces that were given out, shared by all hosts, as their digests under every trusted algorithm: a detached
 * signature says no more about what it is over.
 */
export class NonceStore {
  static readonly inject = { database: Database, clock: Clock, site: Site }

  private readonly questions = new Groups((all: readonly (readonly Uint8Array[])[]) => this.knowsEach(all))

  constructor(private readonly use: Injected<typeof NonceStore.inject>) {}

  /** A new nonce, good for five minutes. */
  async issue(): Promise<Buffer> {
    const { bytes, line } = newNonce(new URL(this.use.site.baseUrl).host)
    // The line too: it is what is found of a nonce that is hidden in something else.
    const digests = [...TRUSTED.map((oid) => digest(oid, bytes)), digest(SHA_256, Buffer.from(line))]
    await this.insert(digests, this.use.clock.now() + LIFE, false)
    return bytes
  }

  /** Keeps the digests of an XML document around a nonce that is used up. */
  async addUsed(digests: readonly Uint8Array[]): Promise<void> {
    await this.insert(digests, this.use.clock.now(), true)
  }

  /** Uses a nonce up. Of any number of callers at the same time one gets `true`; nobody does when it has expired. */
  async useUp(nonce: Uint8Array): Promise<boolean> {
    const consumed = await this.use.database.transaction(() =>
      this.rows()
        .where(noncesTable.row({ digest: digest(SHA_256, nonce), used: false }))
        .andWhere('expires_at', '>', this.use.clock.now())
        .update(noncesTable.row({ used: true })),
    )
    return consumed === 1
  }

  /** True when one of the digests is that of a nonce which has not been forgotten. Every registration asks, those of one moment together. */
  async knows(digests: readonly Uint8Array[]): Promise<boolean> {
    if (!this.use.database.inTransaction) return this.questions.run(digests)
    return (await this.knowsEach([digests])).includes(true)
  }

  private async knowsEach(all: readonly (readonly Uint8Array[])[]): Promise<boolean[]> {
    const digests = all.flat().map((one) => Buffer.from(one.buffer, one.byteOffset, one.byteLength))
    const sql = `select digest from ${noncesTable.name} where digest in (${places(digests)})`
    const known = new Set((await this.use.database.rows(sql, digests)).map((row) => hex(noncesTable.read(row).digest)))
    return all.map((digests) => digests.some((one) => known.has(hex(one))))
  }

  /** Forgets the nonces that expired a day ago. */
  async forget(): Promise<void> {
    await this.use.database.transaction(async () => {
      await this.rows()
        .where('expires_at', '<', this.use.clock.now() - REMEMBERED)
        .delete()
    })
  }

  private async insert(digests: readonly Uint8Array[], expiresAt: number, used: boolean): Promise<void> {
    const rows = digests.map((value) => noncesTable.row({ digest: value, expiresAt, used }))
    await this.use.database.transaction(async () => {
      await this.rows().insert(rows)
    })
  }

  private rows() {
    return this.use.database.query(noncesTable.name)
  }
}

/** Forgets nonces that nobody can misuse any more. */
export class ForgetNonces {
  static readonly task = { name: 'forgetNonces', schedule: '* * * * *' }
  static readonly inject = { nonces: NonceStore }

  constructor(private readonly use: Injected<typeof ForgetNonces.inject>) {}

  run(): Promise<void> {
    return this.use.nonces.forget()
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')
