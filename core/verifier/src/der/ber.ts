import { OCTET_STRING } from './fields.js'
import { type DerElement, DerError, encoded, octetAt, overLimit, readElement } from './reader.js'

/**
 * One BER element (X.690, 8.1): as a DER element, but its length may be indefinite or written longer than needed. Tag
 * numbers are below 31, lengths have at most 4 octets.
 */
export interface BerElement extends DerElement {
  /** Offset after the encoding, end-of-contents octets included. */
  readonly after: number
}

/** Limits for reading BER. */
export interface BerLimits {
  /** Number of elements. */
  readonly elements: number
  /** Nesting depth. */
  readonly depth: number
}

const INDEFINITE = 0x80
const CONSTRUCTED = 0x20
const CONSTRUCTED_OCTETS = OCTET_STRING | CONSTRUCTED
const MAX_LENGTH_OCTETS = 4

/** Reads BER; each octet is read a bounded number of times. Throws DerError. */
export class BerReader {
  private left: number

  constructor(private readonly limits: BerLimits) {
    this.left = limits.elements
  }

  /** The element at `offset`, which must end at or before `limit`. */
  element(source: Uint8Array, offset = 0, limit = source.length, depth = 0): BerElement {
    this.spend(depth)
    if (offset + 2 > limit) throw new DerError('element is cut off')
    const tag = octetAt(source, offset)
    if ((tag & 0x1f) === 0x1f) throw new DerError('high tag numbers are not used here')
    const first = octetAt(source, offset + 1)
    if (first === INDEFINITE) return this.indefinite(source, offset, limit, depth)
    const octets = first < INDEFINITE ? 0 : first & 0x7f
    if (octets > MAX_LENGTH_OCTETS) throw new DerError('length is absurd')
    const content = offset + 2 + octets
    if (content > limit) throw new DerError('length is cut off')
    let length = octets === 0 ? first : 0
    for (let at = offset + 2; at < content; at += 1) length = length * 256 + octetAt(source, at)
    const end = content + length
    if (end > limit) throw new DerError('content is cut off')
    return { tag, source, start: offset, content, end, after: end }
  }

  /** The elements inside a constructed one. */
  children({ tag, source, content, end }: BerElement, depth: number): BerElement[] {
    if ((tag & CONSTRUCTED) === 0) throw new DerError('element is not constructed')
    const found: BerElement[] = []
    for (let offset = content; offset < end; ) {
      const child = this.element(source, offset, end, depth)
      found.push(child)
      offset = child.after
    }
    return found
  }

  /** The segments of an OCTET STRING (X.690, 8.7). */
  octets(element: BerElement, depth: number, pieces: Uint8Array[] = []): Uint8Array[] {
    if (element.tag === OCTET_STRING) pieces.push(element.source.subarray(element.content, element.end))
    else if (element.tag === CONSTRUCTED_OCTETS)
      for (const child of this.children(element, depth)) this.octets(child, depth + 1, pieces)
    else throw new DerError('element is not an octet string')
    return pieces
  }

  /** Finds the end-of-contents octets of an element of indefinite length. */
  private indefinite(source: Uint8Array, offset: number, limit: number, depth: number): BerElement {
    const tag = octetAt(source, offset)
    if ((tag & CONSTRUCTED) === 0) throw new DerError('indefinite length of a primitive element')
    const content = offset + 2
    let end = content
    while (!(source[end] === 0 && source[end + 1] === 0 && end + 2 <= limit)) {
      end = this.element(source, end, limit, depth + 1).after
    }
    return { tag, source, start: offset, content, end, after: end + 2 }
  }

  private spend(depth: number): void {
    this.left -= 1
    if (this.left < 0) throw overLimit('too many elements')
    if (depth > this.limits.depth) throw overLimit('elements are nested too deep')
  }
}

/** The encoding of an element that must be DER; only its header is checked here. */
export const strictly = ({ source, start, after }: BerElement): Uint8Array => encoded(readElement(source, start, after))
