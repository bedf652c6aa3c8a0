import { createHash } from 'node:crypto'
import { Database } from '../database/database.js'
import { bytes, table } from '../database/table.js'
import type { Injected } from '../kernel/service.js'

const FINGERPRINT = 32

const lists = table('registry_revocation_lists', { fingerprint: bytes('fingerprint'), crl: bytes('crl') })

/** Stores the CRLs that are evidence of signatures, each once. */
export class RevocationListStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof RevocationListStore.inject>) {}

  /** Stores CRLs in the caller's transaction, and returns their SHA-256 fingerprints, concatenated. */
  async keep(crls: readonly Uint8Array[]): Promise<Buffer> {
    const fingerprints: Buffer[] = []
    for (const crl of crls) {
      const fingerprint = createHash('sha256').update(crl).digest()
      fingerprints.push(fingerprint)
      const known: unknown = await this.table().where({ fingerprint }).first('fingerprint')
      if (known === undefined)
        await this.table().insert(lists.row({ fingerprint, crl })).onConflict('fingerprint').ignore()
    }
    return Buffer.concat(fingerprints)
  }

  /** The CRLs with these fingerprints, DER. */
  async load(fingerprints: Uint8Array): Promise<Uint8Array[]> {
    if (fingerprints.length === 0) return []
    const wanted = Array.from({ length: fingerprints.length / FINGERPRINT }, (_, index) =>
      Buffer.from(fingerprints.subarray(index * FINGERPRINT, (index + 1) * FINGERPRINT)),
    )
    const rows = await this.table().whereIn('fingerprint', wanted).select(lists.columns)
    return rows.map((row) => lists.read(row).crl)
  }

  private table() {
    return this.use.database.query(lists.name)
  }
}
