import { digest } from './algorithms/digest.js'
import { signatureErrors } from './errors.js'
import type { SignedDigest } from './signature.js'
import { writtenFile } from './xml/external-content.js'

/**
 * Compares what was signed with a document, or with digests of it as it stands by the OID of the algorithm. Of a signature
 * over several files (`any`) the document has to be one. Throws `signatureDoesNotCorrespond`.
 */
export function compareDocument(
  digests: readonly SignedDigest[],
  document: Uint8Array | ReadonlyMap<string, Uint8Array>,
  any: boolean,
): void {
  const differing = digests.filter((signed) => !isOf(signed, document))
  const [first] = differing
  if (first === undefined || (any && differing.length < digests.length)) return
  throw signatureErrors.error('signatureDoesNotCorrespond', { reason: 'digest', oid: first.oid })
}

function isOf({ oid, value, form }: SignedDigest, document: Uint8Array | ReadonlyMap<string, Uint8Array>): boolean {
  if (document instanceof Uint8Array) {
    const written = writtenFile(document, form)
    return written !== undefined && digest(oid, written).equals(value)
  }
  const own = form === undefined ? document.get(oid) : undefined
  if (own === undefined) throw signatureErrors.error('signatureDoesNotCorrespond', { reason: 'digestMissing', oid })
  return Buffer.compare(own, value) === 0
}
