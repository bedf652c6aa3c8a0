import type { ConsistencyProof, InclusionProof } from '#verifier/log/merkle.js'

/** The same octets with one bit changed. */
export function flipped(octets: Uint8Array, bit: number): Uint8Array {
  const changed = Buffer.from(octets)
  const at = bit % (changed.length * 8)
  changed.writeUInt8(changed.readUInt8(at >> 3) ^ (1 << (at & 7)), at >> 3)
  return changed
}

/** Hashes that are not these, by a number: a bit changed, a hash more, less, doubled or moved. */
export function otherHashes(proof: readonly Uint8Array[], number: number): readonly (readonly Uint8Array[])[] {
  const place = number % Math.max(1, proof.length)
  const [first = Buffer.alloc(32, 1), ...rest] = proof
  return [
    [...proof, Buffer.alloc(32)],
    [Buffer.alloc(32), ...proof],
    [first, ...proof],
    proof.length > 0 ? proof.toSpliced(place, 1) : [first],
    proof.length > 0 ? proof.with(place, flipped(proof[place] ?? first, number)) : [first],
    proof.length > 1 ? [...rest, first] : [first, first],
  ]
}

/** A right proof of inclusion and some that are changed in one place. */
export const inclusionsBy = (good: InclusionProof, number: number): readonly InclusionProof[] => [
  good,
  { ...good, leaf: flipped(good.leaf, number) },
  { ...good, root: flipped(good.root, number) },
  { ...good, index: number % good.size },
  { ...good, index: good.index + 1 },
  { ...good, index: good.size },
  { ...good, size: good.size + 1 },
  { ...good, size: 1 + (number % good.size) },
  ...otherHashes(good.proof, number).map((proof) => ({ ...good, proof })),
]

/** A right proof of consistency and some that are changed in one place. */
export const consistenciesBy = (good: ConsistencyProof, number: number): readonly ConsistencyProof[] => [
  good,
  { ...good, from: { ...good.from, root: flipped(good.from.root, number) } },
  { ...good, to: { ...good.to, root: flipped(good.to.root, number) } },
  { ...good, from: { ...good.from, size: 1 + (number % good.to.size) } },
  { ...good, from: { ...good.from, size: good.from.size + 1 } },
  { ...good, to: { ...good.to, size: good.to.size + 1 } },
  { ...good, from: good.to, to: good.from },
  ...otherHashes(good.proof, number).map((proof) => ({ ...good, proof })),
]
