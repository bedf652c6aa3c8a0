import { EMPTY_ROOT, HASH_BYTES, nodeHash, perfectRoot } from './merkle.js'

/** Root of a tree from the partial tiles at its right edge, lowest level first; empty where a level has none. */
export function edgeRoot(edge: readonly Uint8Array[]): Uint8Array {
  let root: Uint8Array | undefined
  for (const tile of edge) {
    let end = tile.length
    for (let width = HASH_BYTES; end > 0; width *= 2) {
      // The lowest bit of what is left says how many hashes the last complete subtree has.
      if (end % (2 * width) === 0) continue
      const left = perfectRoot(tile.subarray(end - width, end))
      root = root === undefined ? left : nodeHash(left, root)
      end -= width
    }
  }
  return root ?? EMPTY_ROOT
}
