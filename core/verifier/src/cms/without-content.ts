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

/** Parts of SignedData in the order of RFC 5652, 5.1. */
const PARTS = ['version', 'digestAlgorithms', 'encapContentInfo', 'certificates', 'crls', 'signerInfos'] as const

/** Encodes a ContentInfo from the parts of another one, with some replaced. */
export function writeSignedData(
  parts: SignedDataParts,
  replaced: { readonly [part in keyof SignedDataParts]?: Uint8Array | undefined },
): Uint8Array {
  const written = PARTS.flatMap((name) => {
    const part = parts[name]
    return replaced[name] ?? (part === undefined ? [] : [encoded(part)])
  })
  return writeSignedContent(...written)
}

/** Encodes a ContentInfo with a SignedData of these elements. */
export const writeSignedContent = (...elements: readonly Uint8Array[]): Uint8Array =>
  writeElement(
    SEQUENCE,
    writeOid(cmsOids.signedData),
    writeElement(contextConstructed(0), writeElement(SEQUENCE, ...elements)),
  )
