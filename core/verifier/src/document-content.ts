import { digest, digestAlgorithms } from './algorithms/digest.js'

/** A document: its bytes, or digests of them by the OID of the algorithm. */
export type DocumentContent = Uint8Array | ReadonlyMap<string, Uint8Array>

/** A digest of a document, if it is known or can be computed. */
export function digestOf(document: DocumentContent, oid: string): Uint8Array | undefined {
  if (!(document instanceof Uint8Array)) return document.get(oid)
  return digestAlgorithms.some((algorithm) => algorithm.oid === oid) ? digest(oid, document) : undefined
}
