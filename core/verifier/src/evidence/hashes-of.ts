import { createHash } from 'node:crypto'
import { digestAlgorithms } from '../algorithms/digest.js'
import { type ByteSource, piecesOf } from '../byte-source.js'

/** Hashes of a source by those of these algorithms that are known, in one pass. */
export function hashesOf(source: ByteSource, oids: Iterable<string>): Map<string, Buffer> {
  const wanted = new Set(oids)
  const hashers = digestAlgorithms
    .filter(({ oid }) => wanted.has(oid))
    .map(({ oid, create }) => ({ oid, hasher: create() }))
  for (const piece of piecesOf(source)) for (const { hasher } of hashers) hasher.update(piece)
  return new Map(hashers.map(({ oid, hasher }) => [oid, hasher.digest()]))
}

/** SHA-256 in lower-case hexadecimal. */
export const sha256 = (octets: Uint8Array): string => createHash('sha256').update(octets).digest('hex')
