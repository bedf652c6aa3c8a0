import { type DocumentContent, digestOf } from './document-content.js'
import type { RegistryError } from './error.js'
import { signatureErrors } from './errors.js'
import type { SignedDigest } from './signature.js'
import type { OpenedSignature, SignerVerdict } from './verdict.js'
import { writtenFile } from './xml/external-content.js'

/** A document under a name. */
export interface NamedDocument {
  readonly name: string
  readonly document: DocumentContent
}

/** Which document a signature is over. */
export interface Comparison extends Pick<SignerVerdict, 'document' | 'over'> {
  /** The signed content, if available. */
  readonly content: DocumentContent | undefined
}

/**
 * Compares the signed digests with the documents; of a signature over several files a document has to be one. A
 * counter-signature is over a signature, whatever is given. Throws `signatureDoesNotCorrespond` where none is the signed one.
 */
export function compareDocuments(
  { signature: { digests }, signedBytes: carried, covers }: OpenedSignature,
  documents: readonly NamedDocument[],
): Comparison {
  if (covers === 'signature') return { document: 'carried', over: undefined, content: carried }
  let refusal: RegistryError | undefined
  for (const { name, document } of documents) {
    refusal = difference(digests, document, covers === 'detached')
    if (refusal === undefined) return { document: 'matches', over: name, content: document }
  }
  // An attached signature covers its own content, whatever documents are given besides.
  if (refusal !== undefined && (carried === undefined || documents.length === 1)) throw refusal
  return { document: carried === undefined ? 'notCompared' : 'carried', over: undefined, content: carried }
}

/** Why a document is not the signed one, or with `any` not one of the signed ones. */
function difference(
  digests: readonly SignedDigest[],
  document: DocumentContent,
  any: boolean,
): RegistryError | undefined {
  let refusal: RegistryError | undefined
  for (const signed of digests) {
    const own = writtenDigest(signed, document)
    const { oid } = signed
    if (own !== undefined && Buffer.compare(own, signed.value) === 0) {
      if (any) return undefined
      continue
    }
    const reason = own === undefined && !(document instanceof Uint8Array) ? 'digestMissing' : 'digest'
    refusal ??= signatureErrors.error('signatureDoesNotCorrespond', { reason, oid })
  }
  return refusal
}

/** The digest of a document as the signature has it written. */
function writtenDigest({ oid, form }: SignedDigest, document: DocumentContent): Uint8Array | undefined {
  if (!(document instanceof Uint8Array)) return form === undefined ? document.get(oid) : undefined
  const written = writtenFile(document, form)
  return written && digestOf(written, oid)
}
