import type { DocumentSettings } from '@signed-registry/core/documents'

import type { Knex } from 'knex'

const SHA256 = '2.16.840.1.101.3.4.2.1'

/** What somebody registers who wants to hide others among many. */
export interface Flood {
  /** SHA-256 of the original. */
  readonly value: Buffer
  readonly count: number
  /** A digit, other than that of earlier ones in the same database. */
  readonly mark: number
  /** Milliseconds; each comes one after the one before. */
  readonly at: number
  readonly settings: DocumentSettings
}

/** Writes documents with one hash straight into the database. */
export async function floodDigest(knex: Knex, { value, count, mark, at, settings }: Flood): Promise<void> {
  for (let start = 0; start < count; start += 100) {
    const ids = Array.from({ length: 100 }, (_, n) => `${mark}${start + n}`.padStart(16, 'x'))
    await knex('registry_documents').insert(
      ids.map((id, n) => ({
        ...{ id, stored_at: at + start + n, title: '', description: '', signed_data_size: 10 },
        ...{ digests_fixed_at: at, settings: JSON.stringify(settings), signatures_total: 0, preregistered: 0 },
      })),
    )
    await knex('registry_document_digests').insert(
      ids.map((document_id, n) => ({
        ...{ document_id, algorithm: SHA256, value, stored_at: at + start + n },
        is_open: settings.private ? 0 : 1,
      })),
    )
  }
}
