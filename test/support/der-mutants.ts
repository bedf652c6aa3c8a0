import { children, contents, type DerElement, readDer } from '#verifier/der/reader.js'
import { writeElement } from '#verifier/der/writer.js'

/** An encoding that differs from a good one in one thing. */
export interface Mutant {
  readonly name: string
  readonly der: Uint8Array
}

/** One flipped bit for every octet, another bit from octet to octet. */
export function* flippedBits(der: Uint8Array): Generator<Mutant> {
  for (let at = 0; at < der.length; at += 1) {
    const mutant = Buffer.from(der)
    mutant.writeUInt8(mutant.readUInt8(at) ^ (1 << (at % 8)), at)
    yield { name: `bit ${at % 8} of octet ${at} flipped`, der: mutant }
  }
}

/** Truncated at many places, and with trailing bytes. */
export function* cutOff(der: Uint8Array): Generator<Mutant> {
  for (let at = 0; at < der.length; at += 13) yield { name: `cut off at ${at}`, der: der.subarray(0, at) }
  for (const more of [[0], [5, 0], [0, 0]])
    yield { name: `followed by ${more}`, der: Buffer.concat([der, Uint8Array.from(more)]) }
}

interface Node {
  readonly tag: number
  readonly value: Uint8Array | readonly Node[]
}

const toNode = (element: DerElement): Node => ({
  tag: element.tag,
  value: (element.tag & 0x20) === 0 ? contents(element) : children(element).map(toNode),
})

const write = ({ tag, value }: Node): Uint8Array =>
  writeElement(tag, ...(value instanceof Uint8Array ? [value] : value.map(write)))

/** Every element dropped, doubled, swapped with the next, emptied, of another tag, and with a length that is BER. */
export function* rebuilt(der: Uint8Array): Generator<Mutant> {
  yield* variants(toNode(readDer(der)), 'root', (changed) => changed)
}

type Rebuild = (changed: Uint8Array) => Uint8Array

function* variants(node: Node, path: string, rebuild: Rebuild): Generator<Mutant> {
  const der = write(node)
  const mutant = (what: string, changed: Uint8Array): Mutant => ({ name: `${path} ${what}`, der: rebuild(changed) })
  yield mutant('dropped', Buffer.alloc(0))
  yield mutant('doubled', Buffer.concat([der, der]))
  yield mutant('emptied', writeElement(node.tag))
  yield mutant('of another tag', Buffer.concat([Uint8Array.of(node.tag ^ 1), der.subarray(1)]))
  yield mutant('with a long length', longLength(der))
  if (node.value instanceof Uint8Array) return
  yield mutant('with an indefinite length', indefinite(node))
  const parts = node.value.map(write)
  for (const [index, child] of node.value.entries()) {
    const swapped = [...parts.slice(0, index), parts[index + 1], parts[index], ...parts.slice(index + 2)]
    if (index + 1 < parts.length)
      yield mutant(
        `with ${index} and ${index + 1} swapped`,
        writeElement(node.tag, ...swapped.filter((part) => part !== undefined)),
      )
    yield* variants(child, `${path}.${index}`, (changed) =>
      rebuild(writeElement(node.tag, ...parts.slice(0, index), changed, ...parts.slice(index + 1))),
    )
  }
}

function longLength(der: Uint8Array): Uint8Array {
  const element = readDer(der)
  const length = Buffer.alloc(5)
  length.writeUInt8(0x84)
  length.writeUInt32BE(element.end - element.content, 1)
  return Buffer.concat([der.subarray(0, 1), length, contents(element)])
}

const indefinite = ({ tag, value }: Node): Uint8Array =>
  Buffer.concat([Uint8Array.of(tag, 0x80), ...(value as readonly Node[]).map(write), Uint8Array.of(0, 0)])
