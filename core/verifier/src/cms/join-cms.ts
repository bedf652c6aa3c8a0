import { contextConstructed, fieldsOf, SEQUENCE, SET } from '../der/fields.js'
import { encoded } from '../der/reader.js'
import { writeElement, writeOctetString, writeSetOf, writeUnsigned } from '../der/writer.js'
import { signatureErrors } from '../errors.js'
import { writeSignedContent } from './content-of-cms.js'
import { distinct, elementsOf } from './elements.js'
import { readSignedData, type SignedDataParts, versionOf } from './signed-data.js'

/**
 * Combines detached CMS signatures of one content into a single CMS, with that content or detached too (RFC 5652, 5.1).
 * SignerInfos and revocation information are copied, so all signatures stay valid with their evidence. Throws
 * `signatureNotParsed` for bytes that are not a CMS, and `invalidSignature` if content types differ.
 */
export function joinCms(content: Uint8Array | undefined, detached: readonly Uint8Array[]): Uint8Array {
  const all = detached.map((cms) => readSignedData(cms))
  const [first] = all
  if (first === undefined) throw signatureErrors.error('signatureNotParsed', { reason: 'noSignatures' })
  if (all.some(({ contentType }) => contentType !== first.contentType)) {
    throw signatureErrors.error('invalidSignature', { reason: 'contentTypesDiffer' })
  }
  const contentType = encoded(fieldsOf(first.parts.encapContentInfo).any())
  const union = (part: keyof SignedDataParts) => distinct(all.flatMap(({ parts }) => elementsOf(parts[part])))
  const optional = (tag: number, elements: readonly Uint8Array[]) =>
    elements.length === 0 ? [] : [writeSetOf(tag, elements)]
  return writeSignedContent(
    writeUnsigned(Uint8Array.of(versionOf(all))),
    writeSetOf(SET, union('digestAlgorithms')),
    writeElement(SEQUENCE, contentType, ...(content === undefined ? [] : [attached(content)])),
    ...optional(contextConstructed(0), union('certificates')),
    ...optional(contextConstructed(1), union('crls')),
    writeSetOf(SET, union('signerInfos')),
  )
}

const attached = (content: Uint8Array): Uint8Array => writeElement(contextConstructed(0), writeOctetString(content))
