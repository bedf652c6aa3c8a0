import { expectTag, OBJECT_IDENTIFIER } from './fields.js'
import { contents, type DerElement, DerError } from './reader.js'

const MAX_OID_OCTETS = 64
const MAX_SAFE_ARC = 2 ** 46

/** Reads an OBJECT IDENTIFIER as dotted decimal. At most 64 content octets; arcs are minimal (X.690 8.19). */
export function readOid(element: DerElement): string {
  return oidFromContents(contents(expectTag(element, OBJECT_IDENTIFIER)))
}

/** Reads the content octets of an OBJECT IDENTIFIER, as implicit tags carry them. */
export function oidFromContents(octets: Uint8Array): string {
  if (octets.length === 0) throw new DerError('object identifier is empty')
  if (octets.length > MAX_OID_OCTETS) throw new DerError('object identifier is too long')
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

/** Arcs from one that does not fit a double, such as those of UUIDs (2.25). */
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
