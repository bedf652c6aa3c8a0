import { limits } from '../kernel/limits.js'

/** Limits of documents; `createRegistry` takes any of them in its options. */
export interface DocumentLimits {
  /** Signatures in one answer of `GET /api/{id}`. */
  readonly signaturesPerCall: number
  /** The longest temporary storage, milliseconds. */
  readonly tempStorageMs: number
  /** Milliseconds after which a document or package is forgotten that has neither its originals nor a signature; 0 for never. */
  readonly incompleteRetentionMs: number
  /** Documents that are looked through for one page of `searchQuery`, along each of two ways; 0 for as many as there are. */
  readonly searchedDocuments: number
}
export const DocumentLimits = limits<DocumentLimits>('DocumentLimits', {
  signaturesPerCall: 50,
  tempStorageMs: 31 * 24 * 60 * 60 * 1000,
  incompleteRetentionMs: 30 * 24 * 60 * 60_000,
  searchedDocuments: 20_000,
})
