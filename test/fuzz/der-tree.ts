import { contents, type DerElement, readDer, readElement } from '#verifier/der/reader.js'

/** A DER element that can be taken apart: also what stands inside OCTET STRINGs and BIT STRINGs. */
export interface DerNode {
  tag: number
  /** Octets before the elements of a BIT STRING. */
  prefix: Buffer
  value: Buffer | DerNode[]
}

const OCTET_STRING = 0x04
const BIT_STRING = 0x03
const DEEPEST = 40

/** The tree of a DER encoding. */
export const treeOf = (der: Uint8Array): DerNode => node(readDer(der), 0)

function node(element: DerElement, depth: number): DerNode {
  const bytes = Buffer.from(contents(element))
  const prefix = element.tag === BIT_STRING ? bytes.subarray(0, 1) : Buffer.alloc(0)
  const wraps = (element.tag & 0x20) !== 0 || element.tag === OCTET_STRING || element.tag === BIT_STRING
  const parts = wraps && depth < DEEPEST ? elementsIn(bytes.subarray(prefix.length), depth) : undefined
  return parts === undefined
    ? { tag: element.tag, prefix: Buffer.alloc(0), value: bytes }
    : { tag: element.tag, prefix, value: parts }
}

/** The elements that the bytes are made of; nothing when they are something else. */
function elementsIn(bytes: Buffer, depth: number): DerNode[] | undefined {
  const parts: DerNode[] = []
  try {
    for (let offset = 0; offset < bytes.length; ) {
      const element = readElement(bytes, offset)
      parts.push(node(element, depth + 1))
      offset = element.end
    }
  } catch {
    return undefined
  }
  return parts.length === 0 ? undefined : parts
}

/** The encoding of a tree. */
export function encode({ tag, prefix, value }: DerNode): Buffer {
  const body = Buffer.isBuffer(value) ? value : Buffer.concat([prefix, ...value.map(encode)])
  return Buffer.concat([Buffer.of(tag), lengthOf(body.length), body])
}

function lengthOf(length: number): Buffer {
  if (length < 0x80) return Buffer.of(length)
  const octets = Buffer.alloc(4)
  octets.writeUInt32BE(length)
  const least = octets.subarray(octets.findIndex((octet) => octet !== 0))
  return Buffer.concat([Buffer.of(0x80 | least.length), least])
}

/** Every node of a tree, with the list that it stands in. */
export function* nodesOf(root: DerNode): Generator<{ node: DerNode; among: DerNode[] | undefined; index: number }> {
  const open: { node: DerNode; among: DerNode[] | undefined; index: number }[] = [
    { node: root, among: undefined, index: 0 },
  ]
  for (let place = open.pop(); place !== undefined; place = open.pop()) {
    yield place
    const { value } = place.node
    if (!Buffer.isBuffer(value)) open.push(...value.map((child, index) => ({ node: child, among: value, index })))
  }
}

/** A copy that shares nothing. */
export const copyOf = ({ tag, prefix, value }: DerNode): DerNode => ({
  tag,
  prefix,
  value: Buffer.isBuffer(value) ? Buffer.from(value) : value.map(copyOf),
})
