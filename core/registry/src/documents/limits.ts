import { limits } from '../kernel/limits.js'

/** Limits of documents; `createRegistry` takes any of them in its options. */
export interface DocumentLimits {
  /** Signatures in one page of `GET /api/{id}`. */
  readonly signaturesPerCall: number
  /** The longest temporary storage, milliseconds. */
  readonly tempStorageMs: number
  /** Milliseconds after which a document or package without originals and signatures is deleted; 0 for never. */
  readonly incompleteRetentionMs: number
  /** Entries of lists and words that are read for one page of `searchQuery`; 0 for no limit. */
  readonly searchedDocuments: number
}
export const DocumentLimits = limits<DocumentLimits>('DocumentLimits', {
  signaturesPerCall: 50,
  tempStorageMs: 31 * 24 * 60 * 60 * 1000,
  incompleteRetentionMs: 30 * 24 * 60 * 60_000,
  searchedDocuments: 4000,
})
