import { digest, digestAlgorithms } from '../algorithms/digest.js'
import { readAsic } from '../asic/read-asic.js'
import type { ByteSource } from '../byte-source.js'
import { decodeSignature } from '../cms/decode-signature.js'
import { readSignedData } from '../cms/signed-data.js'
import { DerError } from '../der/reader.js'
import { RegistryError } from '../error.js'
import { looksLikePdf, readPdf } from '../pdf/read-pdf.js'
import type { FileDigests, SignedFile } from '../signed-file.js'
import { signedFileErrors } from '../signed-file-errors.js'
import { otherFormat } from '../unsupported-formats.js'
import { findSignatures } from '../xml/find-signatures.js'
import { parseXml } from '../xml/parse-xml.js'
import { xmlText } from '../xml/xml-text.js'
import { looksLikeZip } from '../zip/read-zip.js'

/** Octets of a CMS or XML file: it is read into memory as a whole. */
const MAX_IN_MEMORY = 64 * 1024 * 1024
const SHA_256 = '2.16.840.1.101.3.4.2.1'
const SEQUENCE = 0x30

/**
 * Reads a signed file of any kind, told by its content: PDF, ASiC container, CMS (DER, base64 or PEM), XML. Nothing is judged yet.
 * Throws `fileNotRead` for what is none of these, or is not in its form.
 */
export async function readSignedFile(source: ByteSource): Promise<SignedFile> {
  if (looksLikePdf(source)) return readPdf(source)
  if (looksLikeZip(source)) return readAsic(source)
  if (source.size > MAX_IN_MEMORY) throw notRead(source.size > 0 ? 'tooLarge' : 'notSigned')
  const bytes = source.read(0, source.size)
  const other = otherFormat(bytes)
  if (other !== undefined) throw notRead(other)
  return bytes[0] === SEQUENCE ? readCmsFile(bytes) : readTextFile(bytes)
}

function readTextFile(bytes: Uint8Array): SignedFile {
  const start = Buffer.from(bytes.subarray(0, 64))
    .toString('utf8')
    .replace(/^\ufeff/, '')
    .trimStart()
  if (start.startsWith('<')) return readXmlFile(bytes)
  try {
    return readCmsFile(decodeSignature(Buffer.from(bytes).toString('latin1')))
  } catch (error) {
    if (error instanceof RegistryError && error.code === 'signatureNotParsed') throw notRead('notSigned')
    throw error
  }
}

function readCmsFile(signed: Uint8Array): SignedFile {
  try {
    const { content } = readSignedData(signed)
    const documents = content === undefined ? [] : [{ name: '', size: content.length, digests: digestsOf(content) }]
    return whole('cms', documents, { name: '', signType: 'cms', signed, over: { of: 'carried' } })
  } catch (error) {
    if (error instanceof DerError) throw notRead('notSigned')
    throw error
  }
}

function readXmlFile(bytes: Uint8Array): SignedFile {
  try {
    if (findSignatures(parseXml(xmlText(bytes)).root).length === 0) throw notRead('notSigned')
  } catch (error) {
    if (error instanceof RegistryError && error.code === 'signatureNotParsed')
      throw notRead(String(error.details?.reason ?? 'notSigned'))
    throw error
  }
  const documents = [{ name: '', size: bytes.length, digests: digestsOf(bytes) }]
  return whole('xml', documents, { name: '', signType: 'xml', signed: bytes, over: { of: 'carried' } })
}

const whole = (
  format: SignedFile['format'],
  documents: SignedFile['documents'],
  signature: SignedFile['signatures'][number],
): SignedFile => ({
  format,
  documents,
  signatures: [signature],
  timeStamps: [],
  revisions: [],
  problems: [],
  beside: { certificates: [], responses: [], crls: [] },
})

/** By SHA-256 and what signers usually take. */
function digestsOf(content: Uint8Array): FileDigests {
  const oids = digestAlgorithms.flatMap(({ oid, nodeName }) => (oid === SHA_256 || nodeName === 'sha512' ? [oid] : []))
  return new Map(oids.map((oid) => [oid, digest(oid, content)]))
}

const notRead = (reason: string) => signedFileErrors.error('fileNotRead', { reason })
