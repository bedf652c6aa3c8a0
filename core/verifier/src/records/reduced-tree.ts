import { digestAlgorithm } from '../algorithms/digest.js'
import { notProved } from './errors.js'
import type { ReducedTree } from './evidence-record.js'
import { hashOfSiblings } from './hash-tree.js'

/**
 * The root that a way leads to from the hash of a data object (RFC 4998, 4.3). Throws `evidenceRecordNotProved`: `notCovered`,
 * `hashLength` or `doubledHash`.
 */
export function rootOf(oid: string, hash: Uint8Array, way: ReducedTree | undefined): Uint8Array {
  if (way === undefined) return hash
  const [first = []] = way
  if (!has(first, hash)) throw notProved('notCovered')
  return way.reduce<Uint8Array>(
    (below, list, level) => hashOfSiblings(oid, checked(oid, level === 0 ? list : [...list, below])),
    hash,
  )
}

/** A hash of another length, or one twice, lets other lists have the same hash. */
function checked(oid: string, hashes: readonly Uint8Array[]): readonly Uint8Array[] {
  const { length } = digestAlgorithm(oid)
  if (hashes.some((hash) => hash.length !== length)) throw notProved('hashLength')
  if (new Set(hashes.map((hash) => Buffer.from(hash).toString('latin1'))).size < hashes.length)
    throw notProved('doubledHash')
  return hashes
}

const has = (hashes: readonly Uint8Array[], wanted: Uint8Array): boolean =>
  hashes.some((hash) => Buffer.compare(hash, wanted) === 0)
