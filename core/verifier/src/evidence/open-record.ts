import type { RecordFiles } from './statement.js'

/** An evidence record, and what it is about; nothing of it is verified. */
export interface OpenRecord {
  readonly statement: RecordFiles
  readonly object: Uint8Array
  /** EvidenceRecord (RFC 4998), DER. */
  readonly record: Uint8Array
}

/** What a record is about has all of the evidence in it, in base64. */
const MAX_OBJECT = 64 * 1024 * 1024

/** Gathers the files of a record; `undefined` where there is none. */
export const openRecord = (
  files: RecordFiles | undefined,
  read: (name: string, limit?: number) => Uint8Array,
): OpenRecord | undefined =>
  files && { statement: files, object: read(files.object, MAX_OBJECT), record: read(files.record) }
