import { type Attribute, encodeAttribute } from '#dev-authorities/cms/attributes.js'
import type { Holder } from '#dev-authorities/cms/signed-data.js'
import { generalizedTime, implicit, octetString, oid, sequence, set } from '#dev-authorities/der/writer.js'
import { digest, digestAlgorithm } from '#dev-authorities/hashes.js'
import { writeSignedData } from '#verifier/cms/content-of-cms.js'
import { readSignedData } from '#verifier/cms/signed-data.js'
import { children, type DerElement, encoded } from '#verifier/der/reader.js'
import { writeElement } from '#verifier/der/writer.js'
import { tokenOf, tstInfo } from './tokens.js'

const SEQUENCE = 0x30
const SET = 0x31
const UNSIGNED = 0xa1
export const ARCHIVE_V2 = '1.2.840.113549.1.9.16.2.48'
export const ARCHIVE_V3 = '0.4.0.1733.2.4'
export const HASH_INDEX_V3 = '0.4.0.19122.1.5'
export const HASH_INDEX = '0.4.0.1733.2.5'

/** Who archives, when, and over which content where it is not in the signature. */
export interface Archiving {
  readonly by: Holder
  readonly at: number
  readonly content: Uint8Array
}

/** What of a hash index is not as it should be. */
export interface IndexChanges {
  readonly form?: typeof HASH_INDEX_V3 | typeof HASH_INDEX
  readonly certificates?: (honest: readonly Buffer[]) => readonly Buffer[]
  readonly crls?: (honest: readonly Buffer[]) => readonly Buffer[]
  readonly attributes?: (honest: readonly Buffer[]) => readonly Buffer[]
  /** How many of it. */
  readonly times?: number
}

/** A CMS with an archive-time-stamp-v3 (EN 319 122-1, 5.5.3) behind its unsigned attributes. */
export function archivedV3(cms: Uint8Array, archiving: Archiving, changes: IndexChanges = {}): Buffer {
  const { form = HASH_INDEX_V3, times = 1 } = changes
  const { parts } = readSignedData(cms)
  const signer = signerOf(cms)
  const all = (field: DerElement | undefined) =>
    field === undefined ? [] : children(field).map((one) => sha256(encoded(one)))
  const attributes = unsignedOf(signer).flatMap((attribute) => {
    const [type, values] = children(attribute)
    if (type === undefined || values === undefined) throw new Error('not an attribute')
    const byValue = children(values).map((value) => sha256(encoded(type), encoded(value)))
    return form === HASH_INDEX_V3 ? byValue : [sha256(encoded(attribute))]
  })
  const list = (hashes: readonly Buffer[], change = (honest: readonly Buffer[]) => honest) =>
    sequence(...change(hashes).map(octetString))
  const index = sequence(
    ...(form === HASH_INDEX_V3 ? [digestAlgorithm('sha256')] : []),
    list(all(parts.certificates), changes.certificates),
    list(all(parts.crls), changes.crls),
    list(attributes, changes.attributes),
  )
  const [contentType] = children(parts.encapContentInfo)
  if (contentType === undefined) throw new Error('no content type')
  const imprinted = [encoded(contentType), sha256(archiving.content), ...signedFields(signer), index]
  const indexAttribute = { oid: form, values: Array.from({ length: times }, () => index) }
  const token = withUnsigned(stampOver(Buffer.concat(imprinted), archiving), indexAttribute)
  return withUnsigned(cms, { oid: ARCHIVE_V3, values: [token] })
}

/** A CMS with an archive-time-stamp-v2 (RFC 5126, 6.4.1) behind its unsigned attributes, whose header is hashed or not. */
export function archivedV2(cms: Uint8Array, archiving: Archiving, withHeader = true): Buffer {
  const { parts, content } = readSignedData(cms)
  const signer = signerOf(cms)
  const unsigned = unsignedOf(signer).map(encoded)
  const imprinted = [
    encoded(parts.encapContentInfo),
    ...(content === undefined ? [archiving.content] : []),
    ...[parts.certificates, parts.crls].flatMap((field) => (field === undefined ? [] : [encoded(field)])),
    ...signedFields(signer),
    ...(withHeader && unsigned.length > 0 ? [writeElement(UNSIGNED, ...unsigned)] : unsigned),
  ]
  return withUnsigned(cms, { oid: ARCHIVE_V2, values: [stampOver(Buffer.concat(imprinted), archiving)] })
}

/** A CMS with an unsigned attribute behind the others, in its first signer. */
export function withUnsigned(cms: Uint8Array, attribute: Attribute): Buffer {
  return withUnsignedAs(cms, (honest) => [...honest, encodeAttribute(attribute)])
}

/** A CMS with other unsigned attributes, each DER, in its first signer. */
export function withUnsignedAs(cms: Uint8Array, change: (honest: readonly Buffer[]) => readonly Buffer[]): Buffer {
  const { parts } = readSignedData(cms)
  const signer = signerOf(cms)
  const unsigned = change(unsignedOf(signer).map((one) => Buffer.from(encoded(one))))
  const rewritten = writeElement(
    SEQUENCE,
    ...signedFields(signer),
    ...(unsigned.length === 0 ? [] : [implicit(1, set(...unsigned))]),
  )
  const others = children(parts.signerInfos).slice(1).map(encoded)
  return Buffer.from(writeSignedData(parts, { signerInfos: writeElement(SET, rewritten, ...others) }))
}

/** The type of an encoded attribute. */
export const typeOf = (attribute: Buffer, type: string): boolean => attribute.includes(oid(type))

function signerOf(cms: Uint8Array): DerElement {
  const [signer] = readSignedData(cms).signerInfos
  if (signer === undefined) throw new Error('no signer')
  return signer.element
}

const unsignedOf = (signer: DerElement): DerElement[] =>
  children(signer)
    .slice(5)
    .filter(({ tag }) => tag === UNSIGNED)
    .flatMap((field) => children(field))

/** Version, identifier, digest, signed attributes, signature algorithm and value. */
const signedFields = (signer: DerElement): Uint8Array[] => children(signer).slice(0, 6).map(encoded)

const stampOver = (octets: Uint8Array, { by, at }: Archiving): Buffer =>
  tokenOf(by, tstInfo(octets, { genTime: generalizedTime(at) }))

const sha256 = (...octets: readonly Uint8Array[]): Buffer => digest('sha256', Buffer.concat(octets))
