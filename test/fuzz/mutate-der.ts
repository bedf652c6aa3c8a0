import { copyOf, type DerNode, encode, nodesOf, treeOf } from './der-tree.js'
import type { Random } from './random.js'

const TAGS = [
  0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x0a, 0x0c, 0x13, 0x16, 0x17, 0x18, 0x1e, 0x30, 0x31, 0x80, 0xa0, 0xa1,
]
const VALUES = [
  '',
  '00',
  '80',
  'ff',
  '7fffffffffffffff',
  '800000000000000000000000000000000000000000000000',
  '0000000000000000000000000000000000000000',
  '303031313131313131313131315a',
  '3939393931323331323335393539 5a'.replaceAll(' ', ''),
  '2b8080808080808080808080808080808001',
].map((hex) => Buffer.from(hex, 'hex'))

/** A good encoding with one to four things changed: mostly its elements, sometimes its octets. */
export function mutateDer(seeds: readonly Uint8Array[], random: Random): Buffer {
  const seed = random.pick(seeds)
  if (random.chance(15)) return mutateOctets(Buffer.from(seed), random)
  const root = treeOf(seed)
  for (let changes = 1 + random.below(4); changes > 0; changes -= 1) changeTree(root, seeds, random)
  const der = encode(root)
  return random.chance(5) ? mutateOctets(der, random) : der
}

/** Changes one thing in a tree. */
export function changeTree(root: DerNode, seeds: readonly Uint8Array[], random: Random): void {
  const places = [...nodesOf(root)]
  const { node, among, index } = random.pick(places)
  const changes = [() => changeTag(node, random), () => changeValue(node, random), () => replaceValue(node, random)]
  if (!Buffer.isBuffer(node.value)) {
    const parts = node.value
    changes.push(() => shuffle(parts, random))
  }
  if (among !== undefined) {
    const put =
      (at: number, dropped: number, ...nodes: DerNode[]) =>
      () => {
        among.splice(at, dropped, ...nodes.map(copyOf))
      }
    changes.push(
      put(index, 1),
      put(index, 0, ...Array.from({ length: 1 + random.below(40) }, () => node)),
      put(index, 1, random.pick(places).node),
      put(random.below(among.length + 1), 0, strange(seeds, random)),
      put(index, 1, nested(node, 1 + random.below(30), random)),
    )
  }
  random.pick(changes)()
}

function changeTag(node: DerNode, random: Random): void {
  node.tag = random.chance(50) ? random.pick(TAGS) : node.tag ^ (1 << random.below(8))
}

function replaceValue(node: DerNode, random: Random): void {
  node.value = Buffer.from(random.pick(VALUES))
}

function changeValue(node: DerNode, random: Random): void {
  if (!Buffer.isBuffer(node.value)) {
    node.tag ^= 0x20
    return
  }
  const bytes = node.value
  const at = random.below(bytes.length + 1)
  node.value = random.pick([
    () => Buffer.concat([bytes.subarray(0, at), random.bytes(1 + random.below(4)), bytes.subarray(at)]),
    () => Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)]),
    () => flipped(bytes, random),
    () => Buffer.concat(Array.from({ length: 1 + random.below(30) }, () => bytes)),
    () => bytes.subarray(0, at),
  ])()
}

function flipped(bytes: Buffer, random: Random): Buffer {
  if (bytes.length === 0) return Buffer.of(random.below(256))
  const changed = Buffer.from(bytes)
  const at = random.below(changed.length)
  changed.writeUInt8(changed.readUInt8(at) ^ (1 << random.below(8)), at)
  return changed
}

function shuffle(parts: DerNode[], random: Random): void {
  const [one, other] = [random.below(parts.length), random.below(parts.length)]
  const kept = parts[one] as DerNode
  parts[one] = parts[other] as DerNode
  parts[other] = kept
}

const strange = (seeds: readonly Uint8Array[], random: Random): DerNode =>
  random.pick([...nodesOf(treeOf(random.pick(seeds)))]).node

function nested(node: DerNode, depth: number, random: Random): DerNode {
  const tag = random.pick([0x30, 0x31, 0xa0, 0x04])
  let found = node
  for (let level = 0; level < depth; level += 1) found = { tag, prefix: Buffer.alloc(0), value: [found] }
  return found
}

/** Octets flipped, dropped, inserted, repeated, cut off. */
export function mutateOctets(bytes: Buffer, random: Random): Buffer {
  let found = bytes
  for (let changes = 1 + random.below(4); changes > 0; changes -= 1) {
    const at = random.below(found.length + 1)
    const more = random.below(16)
    found = random.pick([
      () => flipped(found, random),
      () => Buffer.concat([found.subarray(0, at), found.subarray(at + more)]),
      () => Buffer.concat([found.subarray(0, at), random.bytes(more), found.subarray(at)]),
      () => Buffer.concat([found.subarray(0, at), found.subarray(Math.max(0, at - more))]),
      () => found.subarray(0, at),
    ])()
  }
  return found
}
