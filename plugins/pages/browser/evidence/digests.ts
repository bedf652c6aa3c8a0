import { digestAlgorithms } from '@signed-registry/verifier'
import { type ByteSource, piecesOf } from '@signed-registry/verifier/evidence'

export const SHA256 = '2.16.840.1.101.3.4.2.1'

/** Digests of a file by those of these algorithms that are known; it is read once. */
export function digestsOf(source: ByteSource, oids: ReadonlySet<string>): Map<string, Uint8Array> {
  const wanted = digestAlgorithms.filter(({ oid }) => oids.has(oid))
  const hashers = wanted.map(({ oid, create }) => ({ oid, hasher: create() }))
  for (const piece of piecesOf(source)) for (const { hasher } of hashers) hasher.update(piece)
  return new Map(hashers.map(({ oid, hasher }) => [oid, hasher.digest()]))
}
