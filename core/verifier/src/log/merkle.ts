import { hash } from 'node:crypto'
import { isCount } from './decimal.js'

/** Octets of a SHA-256 hash. */
export const HASH_BYTES = 32

/** Hashes of the longest proof: more than a tree of 2^53 leaves needs. */
export const MAX_PROOF_HASHES = 63

const sha256 = (bytes: Uint8Array): Buffer => hash('sha256', bytes, 'buffer')

/** Root hash of the tree without entries (RFC 6962, 2.1). */
export const EMPTY_ROOT: Uint8Array = sha256(new Uint8Array())

/** Hash of a leaf (RFC 6962, 2.1). */
export function leafHash(entry: Uint8Array): Buffer {
  const input = new Uint8Array(1 + entry.length)
  input.set(entry, 1)
  return sha256(input)
}

/** What a node is hashed from; used again, since nothing else runs while it is filled and hashed. */
const node = new Uint8Array(1 + 2 * HASH_BYTES)
node[0] = 1

/** Hash of the node over two others (RFC 6962, 2.1). */
export function nodeHash(left: Uint8Array, right: Uint8Array): Buffer {
  node.set(left, 1)
  node.set(right, 1 + HASH_BYTES)
  return sha256(node)
}

/** Root of the tree over 1, 2, 4 … hashes, which stand one behind the other. */
export function perfectRoot(hashes: Uint8Array): Uint8Array {
  let level = hashes
  while (level.length > HASH_BYTES) {
    const above = new Uint8Array(level.length / 2)
    for (let at = 0; at < above.length; at += HASH_BYTES) {
      node.set(level.subarray(2 * at, 2 * at + 2 * HASH_BYTES), 1)
      above.set(sha256(node), at)
    }
    level = above
  }
  return Uint8Array.from(level)
}

/** A tree as its checkpoint names it. */
export interface TreeHead {
  /** Number of its leaves. */
  readonly size: number
  /** Its root hash. */
  readonly root: Uint8Array
}

/** A leaf and the hashes that lead from it to the root of a tree, the leaf's sibling first. */
export interface InclusionProof extends TreeHead {
  /** Hash of the leaf. */
  readonly leaf: Uint8Array
  readonly index: number
  readonly proof: readonly Uint8Array[]
}

/** Two trees of a log and the hashes that lead from the older to the newer. */
export interface ConsistencyProof {
  readonly from: TreeHead
  readonly to: TreeHead
  readonly proof: readonly Uint8Array[]
}

const isHash = (bytes: Uint8Array): boolean => bytes.length === HASH_BYTES
const areHashes = (proof: readonly Uint8Array[]): boolean => proof.length <= MAX_PROOF_HASHES && proof.every(isHash)
const same = (one: Uint8Array, other: Uint8Array): boolean => Buffer.compare(one, other) === 0

/** Whether a tree has this leaf at this index (RFC 9162, 2.1.3.2); false for anything malformed. */
export function isIncluded({ leaf, index, size, proof, root }: InclusionProof): boolean {
  if (!isCount(index) || !isCount(size) || index >= size) return false
  if (!isHash(leaf) || !isHash(root) || !areHashes(proof)) return false
  const climb = new Climb(index, size - 1)
  let reached = leaf
  for (const sibling of proof) {
    if (climb.atRoot) return false
    reached = climb.isRight ? nodeHash(sibling, reached) : nodeHash(reached, sibling)
    climb.up()
  }
  return climb.atRoot && same(reached, root)
}

/** Whether the newer tree begins with the older one (RFC 9162, 2.1.4.2); false for anything malformed. */
export function isConsistent({ from, to, proof }: ConsistencyProof): boolean {
  if (!isTree(from) || !isTree(to) || from.size > to.size || !areHashes(proof)) return false
  if (from.size === to.size) return proof.length === 0 && same(from.root, to.root)
  if (from.size === 0) return proof.length === 0
  const climb = new Climb(from.size - 1, to.size - 1)
  climb.overCompleteSubtrees()
  // A tree of 1, 2, 4 … leaves is itself where the proof begins.
  const [first, ...others] = climb.isAtStart ? [from.root, ...proof] : proof
  if (first === undefined) return false
  let older = first
  let newer = first
  for (const hash of others) {
    if (climb.atRoot) return false
    if (climb.isRight) older = nodeHash(hash, older)
    newer = climb.isRight ? nodeHash(hash, newer) : nodeHash(newer, hash)
    climb.up()
  }
  return climb.atRoot && same(older, from.root) && same(newer, to.root)
}

const isTree = ({ size, root }: TreeHead): boolean =>
  isCount(size) && isHash(root) && (size > 0 || same(root, EMPTY_ROOT))

/** The way from a node up to the root, beside the right edge of the tree; counts without 32-bit operators. */
class Climb {
  constructor(
    private place: number,
    private last: number,
  ) {}

  get atRoot(): boolean {
    return this.last === 0
  }

  /** Whether the node is the leftmost of its level. */
  get isAtStart(): boolean {
    return this.place === 0
  }

  /** Whether the next hash of the proof stands left of the node. */
  get isRight(): boolean {
    return this.place % 2 === 1 || this.place === this.last
  }

  /** To the next level at which the node has a sibling behind it. */
  up(): void {
    if (this.place % 2 === 0 && this.place === this.last) {
      while (this.place % 2 === 0 && this.place !== 0) this.step()
    }
    this.step()
  }

  /** To the highest subtree that ends where the node does. */
  overCompleteSubtrees(): void {
    while (this.place % 2 === 1) this.step()
  }

  private step(): void {
    this.place = Math.floor(this.place / 2)
    this.last = Math.floor(this.last / 2)
  }
}
