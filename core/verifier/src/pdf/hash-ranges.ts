import { type DigestAlgorithm, digestAlgorithms, type Hasher } from '../algorithms/digest.js'
import { type ByteSource, piecesOf } from '../byte-source.js'
import type { FileDigests, Ranges } from '../signed-file.js'

/** Ranges of a file, and the digest algorithms that they are wanted by. */
export interface WantedDigests {
  readonly ranges: Ranges
  readonly oids: ReadonlySet<string>
}

/** Digests over ranges of a file, all in one pass, in the order in which they are wanted. */
export function hashRanges(source: ByteSource, wanted: readonly WantedDigests[]): readonly FileDigests[] {
  const hashing = wanted.map(({ ranges, oids }) => ({
    ranges,
    hashers: digestAlgorithms
      .filter(({ oid }) => oids.has(oid))
      .map(({ oid, create }: DigestAlgorithm): readonly [string, Hasher] => [oid, create()]),
  }))
  let at = 0
  for (const piece of piecesOf(source)) {
    for (const { ranges, hashers } of hashing)
      for (const [from, to] of ranges) {
        const part = piece.subarray(Math.max(0, from - at), Math.max(0, to - at))
        if (part.length > 0) for (const [, hasher] of hashers) hasher.update(part)
      }
    at += piece.length
  }
  return hashing.map(({ hashers }) => new Map(hashers.map(([oid, hasher]) => [oid, hasher.digest()])))
}
