import { createHash } from 'node:crypto'
import { Database } from '../database/database.js'

const FINGERPRINT = 32

interface Row {
  fingerprint: Uint8Array
  crl: Uint8Array
}

/** Keeps the CRLs that signatures are proved by, each once. */
export class RevocationListStore {
  static readonly inject = [Database] as const

  constructor(private readonly database: Database) {}

  /** Keeps CRLs and gives their fingerprints (SHA-256), one after the other. Runs in the caller's transaction. */
  async keep(crls: readonly Uint8Array[]): Promise<Buffer> {
    const fingerprints: Buffer[] = []
    for (const crl of crls) {
      const fingerprint = createHash('sha256').update(crl).digest()
      fingerprints.push(fingerprint)
      const known: unknown = await this.#table().where({ fingerprint }).first('fingerprint')
      if (known === undefined) await this.#table().insert({ fingerprint, crl }).onConflict('fingerprint').ignore()
    }
    return Buffer.concat(fingerprints)
  }

  /** The CRLs of these fingerprints, DER. */
  async load(fingerprints: Uint8Array): Promise<Uint8Array[]> {
    if (fingerprints.length === 0) return []
    const wanted = Array.from({ length: fingerprints.length / FINGERPRINT }, (_, index) =>
      Buffer.from(fingerprints.subarray(index * FINGERPRINT, (index + 1) * FINGERPRINT)),
    )
    const rows: Row[] = await this.#table().whereIn('fingerprint', wanted).select('fingerprint', 'crl')
    return rows.map(({ crl }) => crl)
  }

  #table() {
    return this.database.query('registry_revocation_lists')
  }
}
