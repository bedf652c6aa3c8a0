import { digestAlgorithm } from '@signed-registry/verifier'
import { HashTree, type ReducedTree } from '@signed-registry/verifier/records'

/** Hashes of a level that are stored together: eight levels of pairs are computed from them. */
export const BLOCK = 256
export const LEVELS_OF_BLOCK = 8

/** The part of a tree that a block of hashes, which stand one behind the other, is at the bottom of. */
export function treeOfBlock(oid: string, hashes: Uint8Array): HashTree {
  const { length } = digestAlgorithm(oid)
  const count = hashes.length / length
  return new HashTree(
    oid,
    Array.from({ length: count }, (_, at) => hashes.subarray(at * length, (at + 1) * length)),
  )
}

/**
 * The way from a member to the root of a tree of pairs (RFC 4998, 4.2), through the blocks above it, the lowest first; `undefined`
 * where it is the root. A block begins at an even place of every level above it, so that its pairs are those of the whole tree.
 */
export function wayThrough(place: number, blocks: readonly HashTree[]): ReducedTree | undefined {
  const lists: (readonly Uint8Array[])[] = []
  let at = place
  for (const block of blocks) {
    const [first = [], ...rest] = block.reducedTree(at % BLOCK) ?? []
    // The first list of all begins with the member itself.
    const [, ...siblings] = first
    if (first.length > 0) lists.push(lists.length === 0 ? first : siblings, ...rest)
    at = Math.floor(at / BLOCK)
  }
  return lists.length === 0 ? undefined : lists
}
