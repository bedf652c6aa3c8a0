import { contextConstructed, fieldsOf, SEQUENCE } from '../der/fields.js'
import { encoded } from '../der/reader.js'
import { writeElement, writeOid } from '../der/writer.js'
import { cmsOids } from './oids.js'
import type { SignedData, SignedDataParts } from './signed-data.js'

/** The CMS with its content removed; only the outer lengths change otherwise. */
export function withoutContent({ parts }: SignedData): Uint8Array {
  const contentType = encoded(fieldsOf(parts.encapContentInfo).any())
  return writeSignedData(parts, { encapContentInfo: writeElement(SEQUENCE, contentType) })
}

/** Encodes a ContentInfo from the parts of another one, with some replaced. */
export function writeSignedData(
  parts: SignedDataParts,
  replaced: { readonly encapContentInfo?: Uint8Array; readonly signerInfos?: Uint8Array },
): Uint8Array {
  return writeSignedContent(
    encoded(parts.version),
    encoded(parts.digestAlgorithms),
    replaced.encapContentInfo ?? encoded(parts.encapContentInfo),
    ...[parts.certificates, parts.crls].flatMap((part) => (part === undefined ? [] : [encoded(part)])),
    replaced.signerInfos ?? encoded(parts.signerInfos),
  )
}

/** Encodes a ContentInfo with a SignedData of these elements. */
export const writeSignedContent = (...elements: readonly Uint8Array[]): Uint8Array =>
  writeElement(
    SEQUENCE,
    writeOid(cmsOids.signedData),
    writeElement(contextConstructed(0), writeElement(SEQUENCE, ...elements)),
  )
