import type { AlgorithmPolicy } from './algorithms/policy.js'
import { decodeSignature } from './cms/decode-signature.js'
import { readCmsSigners } from './cms/read-cms.js'
import type { NamedDocument } from './compare-document.js'
import { refuseOtherFormat } from './unsupported-formats.js'
import type { OpenedSignature } from './verdict.js'
import { filesByUri } from './xml/files-by-uri.js'
import type { XmlSignatureOptions } from './xml/open-signature.js'
import { parseXml } from './xml/parse-xml.js'
import { readXmlAlone } from './xml/read-xml-signature.js'
import { DSIG } from './xml/signature-element.js'
import {
  readCounterSignatures,
  readXmlSignatures,
  type VerifiedXml,
  type XmlSignatureReader,
} from './xml/verify-xml-document.js'
import { xmlText } from './xml/xml-text.js'

/** Options for reading signatures. */
export interface OpenOptions {
  readonly at: number
  readonly documents: readonly NamedDocument[]
  readonly algorithms?: AlgorithmPolicy | undefined
  readonly resolve?: XmlSignatureOptions['resolve']
  readonly trailingZeros?: boolean
  /** The URI of the document in an XML signature over several files, of which the others are not compared. */
  readonly documentUri?: string | undefined
}

/** Reads one signature. */
export interface SignatureOpener {
  /** `at` is the time (ms) that its algorithms are judged as of, where that is not the one of the options. */
  (at?: number): OpenedSignature
  /** Whether it is a counter-signature, whatever becomes of it. */
  readonly countersigns?: boolean
}

/** All signatures in the bytes, each read when its function is called; malformed bytes give one that is refused. */
export function openSignatures(signed: Uint8Array | string, options: OpenOptions): readonly SignatureOpener[] {
  try {
    refuseOtherFormat(signed)
    const text = typeof signed === 'string' ? signed : textOf(signed)
    if (text === undefined) return openedCms(Buffer.from(signed), options)
    return text.trimStart().startsWith('<') ? openedXml(text, options) : openedCms(decodeSignature(text), options)
  } catch (error) {
    return [
      () => {
        throw error
      },
    ]
  }
}

const DER_SEQUENCE = 0x30
/** Text of XML, base64 or PEM; base64 of a CMS begins with `M`, so that its DER alone begins with the octet of a SEQUENCE. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes[0] === DER_SEQUENCE) return undefined
  const text = Buffer.from(bytes).toString('utf8')
  return text.trimStart().startsWith('<') ? xmlText(bytes) : text
}

function openedCms(der: Uint8Array, options: OpenOptions): readonly SignatureOpener[] {
  const { at, algorithms, trailingZeros = false } = options
  const own = { evidence: 'all', at, trailingZeros, ...(algorithms === undefined ? {} : { algorithms }) } as const
  return readCmsSigners(der, own).map((read) => (at) => {
    const signature = read(at)
    return { signature, covers: undefined, signedBytes: signature.content }
  })
}

function openedXml(text: string, given: OpenOptions): readonly SignatureOpener[] {
  const { algorithms, at, documents, resolve, documentUri } = given
  const [first, more] = documents
  const ownFiles =
    more === undefined ? undefined : filesByUri(new Map(documents.map(({ name, document }) => [name, document])))
  const options: XmlSignatureOptions = {
    at,
    evidence: 'all',
    // Partial coverage is dealt with in the verdict.
    covers: 'element',
    ...(algorithms === undefined ? {} : { algorithms }),
    ...((resolve ?? ownFiles) && { resolve: (uri) => resolve?.(uri) ?? ownFiles?.(uri) }),
    ...(first !== undefined && more === undefined && { externalDocument: first.document }),
  }
  const anew = (read: XmlSignatureReader, index: number): SignatureOpener => {
    const open = (when = at) => (when === at ? opened(read()) : againAs(text, { ...given, at: when }, index))
    return Object.assign(open, { countersigns: read.countersigns })
  }
  if (first === undefined || !parseXml(text).root.is(DSIG, 'Signature'))
    return readXmlSignatures(text, options).map(anew)
  const alone = { ...options, externalDocument: first.document, documentUri }
  const own = (when = at) => ({ ...readXmlAlone(text, { ...alone, at: when }), signedBytes: undefined })
  return [own, ...readCounterSignatures(text, options).map((read, index) => anew(read, index + 1))]
}

const opened = ({ signature, covers, signedBytes, byDigest }: VerifiedXml): OpenedSignature => ({
  ...{ signature, covers },
  signedBytes: byDigest ? undefined : signedBytes,
})

/** One of the signatures of a document, all of which are read again as of another time. */
function againAs(text: string, options: OpenOptions, index: number): OpenedSignature {
  const open = openedXml(text, options)[index]
  if (open === undefined) throw new TypeError('no such signature')
  return open()
}
