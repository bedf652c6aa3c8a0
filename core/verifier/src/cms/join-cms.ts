import { contextConstructed, fieldsOf, SEQUENCE, SET } from '../der/fields.js'
import { children, encoded } from '../der/reader.js'
import { writeElement, writeOctetString, writeSetOf, writeUnsigned } from '../der/writer.js'
import { signatureErrors } from '../errors.js'
import { cmsOids } from './oids.js'
import { readSignedData, type SignedData } from './signed-data.js'
import { writeSignedContent } from './without-content.js'

/**
 * Combines detached CMS signatures of one content into a single CMS with that content (RFC 5652, 5.1). SignerInfos are copied
 * with their evidence, so all signatures stay valid. Throws `signatureNotParsed` for bytes that are not a CMS, and
 * `invalidSignature` if content types differ.
 */
export function joinCms(content: Uint8Array | undefined, detached: readonly Uint8Array[]): Uint8Array {
  const all = detached.map((cms) => readSignedData(cms))
  const [first] = all
  if (first === undefined) throw signatureErrors.error('signatureNotParsed', { reason: 'noSignatures' })
  if (all.some(({ contentType }) => contentType !== first.contentType)) {
    throw signatureErrors.error('invalidSignature', { reason: 'contentTypesDiffer' })
  }
  const contentType = encoded(fieldsOf(first.parts.encapContentInfo).any())
  const certificates = distinct(all.flatMap(({ parts }) => elementsOf(parts.certificates)))
  return writeSignedContent(
    writeUnsigned(Uint8Array.of(versionOf(all))),
    writeSetOf(SET, distinct(all.flatMap(({ parts }) => elementsOf(parts.digestAlgorithms)))),
    writeElement(
      SEQUENCE,
      contentType,
      writeElement(contextConstructed(0), writeOctetString(content ?? new Uint8Array())),
    ),
    ...(certificates.length === 0 ? [] : [writeSetOf(contextConstructed(0), certificates)]),
    writeSetOf(SET, distinct(all.flatMap(({ parts }) => elementsOf(parts.signerInfos)))),
  )
}

const elementsOf = (set: SignedData['parts']['certificates']): Uint8Array[] =>
  set === undefined ? [] : children(set).map((element) => encoded(element))

const distinct = (elements: readonly Uint8Array[]): Uint8Array[] => [
  ...new Map(elements.map((element) => [Buffer.from(element).toString('base64'), element])).values(),
]

/** RFC 5652, 5.1. */
const versionOf = (all: readonly SignedData[]): number =>
  all.some(
    ({ contentType, signerInfos }) => contentType !== cmsOids.data || signerInfos.some(({ version }) => version === 3),
  )
    ? 3
    : 1
