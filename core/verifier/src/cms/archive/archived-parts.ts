import { SEQUENCE } from '../../der/fields.js'
import { children, type DerElement, DerError, encoded } from '../../der/reader.js'
import { writeOid } from '../../der/writer.js'
import type { Attribute } from '../attributes.js'
import { archiveForms, cmsOids } from '../oids.js'
import { readOcspInfo } from '../revocation-info.js'
import { readRevocationValues } from '../revocation-values.js'
import type { SignedData } from '../signed-data.js'
import type { SignerInfo } from '../signer-info.js'

/** An unsigned part of a CMS that an archive time stamp may cover. */
export interface ArchivedPart {
  readonly field: 'certificates' | 'crls' | 'attributes'
  /** What its hash in an ats-hash-index-v3 is over (EN 319 122-1, 5.5.2). */
  readonly octets: readonly Uint8Array[]
  /** The attribute that it is a value of. */
  readonly attribute: Attribute | undefined
  /** The pieces of evidence in it. */
  readonly pieces: readonly Uint8Array[]
}

/** The certificates and revocation information of SignedData, and the values of the unsigned attributes of a signer. */
export const archivedParts = ({ parts }: SignedData, { unsignedAttributes }: SignerInfo): readonly ArchivedPart[] => [
  ...elements(parts.certificates).map((element) => partOf('certificates', element, [element])),
  ...elements(parts.crls).map((element) => partOf('crls', element, revocationIn(element))),
  ...(unsignedAttributes?.all ?? []).flatMap((attribute) =>
    attribute.values.map((value): ArchivedPart => {
      const octets = [writeOid(attribute.oid), encoded(value)]
      return {
        field: 'attributes',
        octets,
        attribute,
        pieces: read(() => evidenceIn(attribute.oid, value)).map(encoded),
      }
    }),
  ),
]

const elements = (set: DerElement | undefined): readonly DerElement[] => (set === undefined ? [] : children(set))

const partOf = (field: 'certificates' | 'crls', element: DerElement, pieces: readonly DerElement[]): ArchivedPart => ({
  field,
  octets: [encoded(element)],
  attribute: undefined,
  pieces: pieces.map(encoded),
})

/** A CRL, or the OCSP answer of other revocation information (RFC 5940). */
const revocationIn = (element: DerElement): readonly DerElement[] =>
  element.tag === SEQUENCE ? [element] : read(() => [readOcspInfo(element)]).filter((answer) => answer !== undefined)

function evidenceIn(oid: string, value: DerElement): readonly DerElement[] {
  if (oid === cmsOids.signatureTimeStamp || archiveForms.has(oid)) return [value]
  if (oid === cmsOids.certificateValues) return children(value)
  if (oid !== cmsOids.revocationValues) return []
  const { crls, answers } = readRevocationValues(value)
  return [...crls, ...answers]
}

/** What cannot be read has no evidence that could be used. */
function read<T>(from: () => readonly T[]): readonly T[] {
  try {
    return from()
  } catch (error) {
    if (error instanceof DerError) return []
    throw error
  }
}

/** Whether octets are among the pieces of evidence of these parts. */
export function coveredBy(parts: readonly ArchivedPart[]): (octets: Uint8Array) => boolean {
  const key = (octets: Uint8Array) => Buffer.from(octets).toString('latin1')
  const pieces = new Set(parts.flatMap((part) => part.pieces.map(key)))
  return (octets) => pieces.has(key(octets))
}
