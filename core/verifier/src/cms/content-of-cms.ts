import { contextConstructed, fieldsOf, OCTET_STRING, SEQUENCE } from '../der/fields.js'
import { encoded } from '../der/reader.js'
import { writeElement, writeOid } from '../der/writer.js'
import { cmsOids } from './oids.js'
import { readSignedData, type SignedData, type SignedDataParts } from './signed-data.js'

/** The CMS with its content removed; only the outer lengths change otherwise. */
export function withoutContent({ parts }: SignedData): Uint8Array {
  const contentType = encoded(fieldsOf(parts.encapContentInfo).any())
  return writeSignedData(parts, { encapContentInfo: writeElement(SEQUENCE, contentType) })
}

/** A detached CMS with its content in it. Throws as `readSignedData`. */
export function withContent(cms: Uint8Array, content: Uint8Array): Uint8Array {
  const { parts } = readSignedData(cms)
  const contentType = encoded(fieldsOf(parts.encapContentInfo).any())
  const carried = writeElement(contextConstructed(0), writeElement(OCTET_STRING, content))
  return writeSignedData(parts, { encapContentInfo: writeElement(SEQUENCE, contentType, carried) })
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
