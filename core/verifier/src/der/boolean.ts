import { BOOLEAN, expectTag } from './fields.js'
import { contents, type DerElement, DerError } from './reader.js'

/** Reads a BOOLEAN: one octet, 00 or FF (X.690 11.1). */
export function readBoolean(element: DerElement, tag: number = BOOLEAN): boolean {
  const octets = contents(expectTag(element, tag))
  if (octets.length !== 1 || (octets[0] !== 0x00 && octets[0] !== 0xff)) throw new DerError('boolean is not DER')
  return octets[0] === 0xff
}
