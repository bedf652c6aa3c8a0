import { expectTag, OBJECT_IDENTIFIER } from './fields.js'
import { contents, type DerElement, DerError, octetAt, overLimit } from './reader.js'

const MAX_OID_OCTETS = 64
const MAX_SAFE_ARC = 2 ** 46

const MAX_REMEMBERED = 1024

/** Reads an OBJECT IDENTIFIER as dotted decimal. At most 64 content octets; arcs are minimal (X.690 8.19). */
export function readOid(element: DerElement): string {
  expectTag(element, OBJECT_IDENTIFIER)
  const { source, content, end } = element
  if (end - content > MAX_OID_OCTETS) throw overLimit('object identifier is too long')
  let place = 0
  for (let at = content; at < end; at += 1) place = (place * 31 + octetAt(source, at)) % MAX_REMEMBERED
  const known = remembered[place]
  if (known !== undefined && isSame(known.octets, element)) return known.text
  const octets = contents(element)
  const text = oidFromContents(octets)
  remembered[place] = { octets: Uint8Array.from(octets), text }
  return text
}

interface Remembered {
  readonly octets: Uint8Array
  readonly text: string
}

// A cache for the few dozen OIDs of every signature: a hash table without chaining, where the latest entry wins.
const remembered: (Remembered | undefined)[] = new Array(MAX_REMEMBERED).fill(undefined)

function isSame(octets: Uint8Array, { source, content, end }: DerElement): boolean {
  if (octets.length !== end - content) return false
  for (let index = 0; index < octets.length; index += 1) if (octets[index] !== source[content + index]) return false
  return true
}

/** Reads the content octets of an OBJECT IDENTIFIER, as implicit tags carry them. */
export function oidFromContents(octets: Uint8Array): string {
  if (octets.length === 0) throw new DerError('object identifier is empty')
  if (octets.length > MAX_OID_OCTETS) throw overLimit('object identifier is too long')
  let text = ''
  for (let offset = 0; offset < octets.length; ) {
    const start = offset
    if (octets[offset] === 0x80) throw new DerError('object identifier arc is not minimal')
    let arc = 0
    for (let more = true; more; offset += 1) {
      const octet = octets[offset]
      if (octet === undefined) throw new DerError('object identifier is cut off')
      if (arc >= MAX_SAFE_ARC) return text + bigArcs(octets.subarray(start), text === '')
      arc = arc * 128 + (octet & 0x7f)
      more = octet >= 0x80
    }
    text += text === '' ? firstArcs(arc) : `.${arc}`
  }
  return text
}

const firstArcs = (arc: number): string => (arc < 80 ? `${Math.floor(arc / 40)}.${arc % 40}` : `2.${arc - 80}`)

/** Arcs that do not fit into a double, such as those of UUIDs (2.25). */
function bigArcs(octets: Uint8Array, first: boolean): string {
  let text = ''
  let arc = 0n
  let fresh = true
  for (const octet of octets) {
    if (fresh && octet === 0x80) throw new DerError('object identifier arc is not minimal')
    arc = (arc << 7n) | BigInt(octet & 0x7f)
    fresh = octet < 0x80
    if (!fresh) continue
    text += first && text === '' ? `2.${arc - 80n}` : `.${arc}`
    arc = 0n
  }
  if (!fresh) throw new DerError('object identifier is cut off')
  return text
}
