import { digest, digestAlgorithms } from './algorithms/digest.js'
import type { RegistryError } from './error.js'
import { signatureErrors } from './errors.js'
import type { ReadSignature } from './signature.js'
import type { SignerVerdict } from './verdict.js'

/** A document: its bytes, or digests of them by the OID of the algorithm. */
export type DocumentContent = Uint8Array | ReadonlyMap<string, Uint8Array>

/** A document under a name. */
export interface NamedDocument {
  readonly name: string
  readonly document: DocumentContent
}

/** Which document a signature is over. */
export interface Comparison extends Pick<SignerVerdict, 'document' | 'over'> {
  /** What was signed, where it is at hand. */
  readonly content: DocumentContent | undefined
}

/** Compares the signed digests with the documents; throws `signatureDoesNotCorrespond` where none is the signed one. */
export function compareDocuments(
  { digests }: ReadSignature,
  carried: Uint8Array | undefined,
  documents: readonly NamedDocument[],
): Comparison {
  let refusal: RegistryError | undefined
  for (const { name, document } of documents) {
    refusal = difference(digests, document)
    if (refusal === undefined) return { document: 'matches', over: name, content: document }
  }
  // What carries its content is over that, whatever else is given together with it.
  if (refusal !== undefined && (carried === undefined || documents.length === 1)) throw refusal
  return { document: carried === undefined ? 'notCompared' : 'carried', over: undefined, content: carried }
}

/** Why a document is not the signed one. */
function difference(digests: ReadSignature['digests'], document: DocumentContent): RegistryError | undefined {
  for (const { oid, value } of digests) {
    const own = digestOf(document, oid)
    if (own === undefined) return signatureErrors.error('signatureDoesNotCorrespond', { reason: 'digestMissing', oid })
    if (Buffer.compare(own, value) !== 0)
      return signatureErrors.error('signatureDoesNotCorrespond', { reason: 'digest', oid })
  }
  return undefined
}

/** A digest of a document, where it is known or can be made. */
export function digestOf(document: DocumentContent, oid: string): Uint8Array | undefined {
  if (!(document instanceof Uint8Array)) return document.get(oid)
  return digestAlgorithms.some((algorithm) => algorithm.oid === oid) ? digest(oid, document) : undefined
}
