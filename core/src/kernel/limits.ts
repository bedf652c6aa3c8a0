import { token } from './token.js'

/** Limits of sizes and counts (specification, "Limits"); `createRegistry` takes any of them in its options. */
export interface Limits {
  /** Characters of a document title. */
  readonly title: number
  /** Characters of a description. */
  readonly description: number
  /** E-mail addresses in one request. */
  readonly emails: number
  /** Signatures in one answer of `GET /api/{id}`. */
  readonly signaturesPerCall: number
  /** Bytes of one signature, content included. */
  readonly signatureBytes: number
}
export const Limits = token<Limits>('Limits')

export const defaultLimits: Limits = {
  title: 255,
  description: 2000,
  emails: 20,
  signaturesPerCall: 50,
  signatureBytes: 10 * 1024 * 1024,
}
