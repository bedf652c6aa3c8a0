import { context, contextConstructed, DerFields, expectTag, only, SEQUENCE } from '../der/fields.js'
import { oidFromContents, readOid } from '../der/oid.js'
import { children, contents, type DerElement, DerError, encoded, octetAt } from '../der/reader.js'
import { Name } from './name.js'

const MAX_GENERAL_NAMES = 4_096

/** The choices of GeneralName (RFC 5280 section 4.2.1.6). */
export type GeneralNameType =
  | 'otherName'
  | 'rfc822Name'
  | 'dNSName'
  | 'x400Address'
  | 'directoryName'
  | 'ediPartyName'
  | 'uniformResourceIdentifier'
  | 'iPAddress'
  | 'registeredID'

/** One alternative name: `value` is its text; base64 of DER for the types without a text form. */
export interface GeneralName {
  readonly type: GeneralNameType
  readonly value: string
  /** The name of a `directoryName`. */
  readonly name?: Name
  /** Address octets of an `iPAddress`: 4 or 16, twice that with a mask in a name constraint. */
  readonly octets?: Uint8Array
  /** Object identifier of the type of an `otherName`. */
  readonly otherType?: string
}

/** Reads GeneralNames: at least one, at most 4,096; throws DerError. */
export function readGeneralNames(element: DerElement, tag: number = SEQUENCE): GeneralName[] {
  const names = children(expectTag(element, tag), MAX_GENERAL_NAMES).map((name) => readGeneralName(name))
  if (names.length === 0) throw new DerError('general names are empty')
  return names
}

/** Reads one GeneralName; in a name constraint an address carries its mask. */
export function readGeneralName(element: DerElement, masked = false): GeneralName {
  switch (element.tag) {
    case contextConstructed(0):
      return { ...opaque('otherName', element), otherType: readOid(new DerFields(element).any()) }
    case context(1):
      return { type: 'rfc822Name', value: ia5(element) }
    case context(2):
      return { type: 'dNSName', value: ia5(element) }
    case contextConstructed(3):
      return opaque('x400Address', element)
    case contextConstructed(4): {
      const name = Name.read(only(element))
      return { type: 'directoryName', value: name.toString(), name }
    }
    case contextConstructed(5):
      return opaque('ediPartyName', element)
    case context(6):
      return { type: 'uniformResourceIdentifier', value: ia5(element) }
    case context(7):
      return address(contents(element), masked)
    case context(8):
      return { type: 'registeredID', value: oidFromContents(contents(element)) }
    default:
      throw new DerError('general name is of an unknown type')
  }
}

/** Alternative names in one line, `type=value` separated by commas and escaped as RFC 4514 does. */
export const generalNamesText = (names: readonly GeneralName[]): string =>
  names.map(({ type, value }) => `${type}=${value.replace(/["+,;<>\\]/g, '\\$&')}`).join(',')

const opaque = (type: GeneralNameType, element: DerElement): GeneralName => ({
  type,
  value: Buffer.from(encoded(element)).toString('base64'),
})

// Real issuers write non-ASCII octets into the IA5Strings of URLs; callers that rely on a name check its form.
function ia5(element: DerElement): string {
  const octets = contents(element)
  return Buffer.from(octets.buffer, octets.byteOffset, octets.length).toString('latin1')
}

function address(octets: Uint8Array, masked: boolean): GeneralName {
  const width = masked ? octets.length / 2 : octets.length
  if (width !== 4 && width !== 16) throw new DerError('address is of a wrong length')
  const parts = masked ? [octets.subarray(0, width), octets.subarray(width)] : [octets]
  return { type: 'iPAddress', value: parts.map(width === 4 ? dotted : colons).join('/'), octets }
}

const dotted = (octets: Uint8Array): string => octets.join('.')

const colons = (octets: Uint8Array): string =>
  Array.from({ length: 8 }, (_, group) =>
    ((octetAt(octets, 2 * group) << 8) | octetAt(octets, 2 * group + 1)).toString(16),
  ).join(':')
