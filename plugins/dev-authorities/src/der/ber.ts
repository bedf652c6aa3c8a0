import { children, contents, type DerElement, readDer } from '@signed-registry/verifier'
import { element } from './writer.js'

/** The encoding of an element (X.690, 8.1.3 and 8.7): DER, indefinite length, a length in the long form, segmented. */
export type BerForm = 'der' | 'indefinite' | 'longLength' | 'pieces'

/** Path to an element: an index at each level. */
export type Place = readonly number[]

const PIECE = 5

/** Reencodes DER as BER; `formOf` chooses the form of each element. Only OCTET STRINGs can be segmented. */
export function toBer(der: Uint8Array, formOf: (place: Place, tag: number) => BerForm): Buffer {
  return write(readDer(der), [], formOf)
}

function write(given: DerElement, place: Place, formOf: (place: Place, tag: number) => BerForm): Buffer {
  const { tag } = given
  const constructed = (tag & 0x20) !== 0
  const value = constructed
    ? Buffer.concat(children(given).map((child, index) => write(child, [...place, index], formOf)))
    : Buffer.from(contents(given))
  const form = formOf(place, tag)
  if (form === 'indefinite' && constructed) return indefinite(tag, value)
  if (form === 'pieces' && tag === 0x04) return indefinite(0x24, inPieces(value))
  if (form === 'longLength') return Buffer.concat([Buffer.from([tag]), longLength(value.length), value])
  return element(tag, value)
}

const indefinite = (tag: number, value: Uint8Array) =>
  Buffer.concat([Buffer.from([tag, 0x80]), value, Buffer.from([0, 0])])

/** Segments of a few octets, the last of them segmented again. */
function inPieces(value: Buffer): Buffer {
  const last = Math.max(0, value.length - PIECE)
  const pieces: Buffer[] = []
  for (let at = 0; at < last; at += PIECE) pieces.push(element(0x04, value.subarray(at, Math.min(at + PIECE, last))))
  return Buffer.concat([...pieces, element(0x24, element(0x04), element(0x04, value.subarray(last)))])
}

function longLength(length: number): Buffer {
  const octets = Buffer.from([0x84, 0, 0, 0, 0])
  octets.writeUInt32BE(length, 1)
  return octets
}

/** Whether a CMS has signed or opaque data here: certificates, CRLs, signed attributes, values of unsigned ones. */
export function isSignedPlace(place: Place): boolean {
  const [content, wrapped, part, first, second, third] = place
  if (content !== 1 || wrapped !== 0) return false
  if (part === 3 && first !== undefined) return true
  return (
    part === 4 && first !== undefined && (second === 3 || (second === 6 && third !== undefined && place.length > 7))
  )
}

/** A CMS as streaming encoders write it: indefinite lengths except in signed data, content segmented. */
export const streamed = (cms: Uint8Array): Buffer =>
  toBer(cms, (place, tag) => (isSignedPlace(place) ? 'der' : tag === 0x04 ? 'pieces' : 'indefinite'))
