import type { DocumentVerdict, Outcome } from '@signed-registry/verifier'
import type { ShownSignature } from '../shown-signature.js'

/** What the worker is asked. */
export interface EvidenceQuestion {
  /** A signature, or an evidence bundle. */
  readonly file: File
  /** Certificates whose holders are trusted, PEM or base64 of DER; nobody else is. */
  readonly anchors: readonly NamedAnchor[]
  /** Documents that are given beside it. */
  readonly beside: readonly File[]
  /** The moment to judge at, milliseconds since the epoch; now where not given. */
  readonly at?: number
  /** The registry's key (`GET /api/statementKey`), if its statements are to be proved. */
  readonly key?: string
  readonly language: 'kk' | 'ru' | 'en'
}

/** A certificate that is trusted, under the name of its file. */
export interface NamedAnchor {
  readonly name: string
  readonly certificate: string
}

/** The verdict, as far as it is shown. */
export interface ShownVerdict {
  readonly outcome: Outcome
  readonly signatures: readonly ShownSignature[]
  readonly documents: readonly DocumentVerdict[]
  /** The report on it, a page of its own. */
  readonly report: string
}

/** What the worker answers; `refused` where the question makes no sense. */
export type EvidenceAnswer =
  | { readonly verdict: ShownVerdict }
  | { readonly refused: 'anchor' | 'noRoot' | 'key' | 'unreadable'; readonly file?: string }
