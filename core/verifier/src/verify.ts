import type { NamedDocument } from './compare-document.js'
import { worstOf } from './indication.js'
import { openSignatures } from './open-signatures.js'
import { type SignerOptions, validateSigner } from './validate-signer.js'
import type { Verdict } from './verdict.js'
import { seenBefore } from './verification.js'

export type { NamedDocument } from './compare-document.js'
export type { DocumentContent } from './document-content.js'

/** Options of validation; only `trust` is required. */
export interface VerifyOptions extends Omit<SignerOptions, 'at' | 'documents'> {
  /** The validation time, milliseconds since the epoch; default is the system clock. */
  readonly at?: number
  /** What was signed, when the signature does not carry it: the bytes, or digests of them by the OID of the algorithm. */
  readonly document?: NamedDocument['document']
  /** Several documents of which each signature may be over one; `over` of its verdict names it. */
  readonly documents?: readonly NamedDocument[]
  /** Take zeros behind a CMS for padding, as `/Contents` of PDF has them. */
  readonly trailingZeros?: boolean
  /** The URI of the document in an XML signature that stands alone and is over several files: the others are not compared. */
  readonly documentUri?: string | undefined
}

/**
 * Validates signed bytes, a CMS (DER, base64 or PEM) or XML, offline: no network, no files, no clock but `at`. Never throws
 * because of the bytes: that is what the verdict is for.
 */
export function verify(signed: Uint8Array | string, options: VerifyOptions): Verdict {
  const { at = Date.now(), document, ...rest } = options
  const documents = options.documents ?? (document === undefined ? [] : [{ name: '', document }])
  const judging = { ...rest, at, documents }
  const seenAt = seenBefore({ existedAt: options.evidence?.existedAt, now: at }) ?? at
  const signatures = openSignatures(signed, { ...judging, at: seenAt }).map((open) => validateSigner(open, judging))
  const own = signatures.filter(({ covers }) => covers !== 'signature')
  const { indication, subIndication } = worstOf(own.length === 0 ? signatures : own)
  return { valid: indication === 'TOTAL-PASSED', indication, subIndication, at, signatures }
}
