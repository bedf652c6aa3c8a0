import { open, readFile, stat } from 'node:fs/promises'
import { hashesOf, looksLikeEvidence } from '../evidence/index.js'
import { looksLikePdf } from '../pdf/read-pdf.js'
import { looksLikeZip } from '../zip/read-zip.js'
import { looksLikeRecord } from './looks-like-record.js'
import { withFile } from './open-file.js'
import { unreadable } from './unreadable.js'

/** A file that was named on the command line. */
export interface GivenFile {
  /** As it was named. */
  readonly name: string
  readonly size: number
  /** What it looks like: an evidence bundle, an evidence record, bytes that may hold signatures, what may have them inside, or a document. */
  readonly looks: 'evidence' | 'record' | 'signed' | 'pdfOrZip' | 'document'
}

/** Longest XML of all that are looked through for signatures: one with more is not judged by the verifier anyway. */
const LONGEST_XML = 16 * 1024 * 1024
/** A CMS is read into memory as a whole. */
const LONGEST_SIGNED = 1024 * 1024 * 1024
const HEAD_BYTES = 256
/** OID of SignedData (RFC 5652 section 5.1), as DER has it. */
const SIGNED_DATA = Buffer.from('06092a864886f70d010702', 'hex')
const SEQUENCE = 0x30
/** The longest header of the outer sequence stands before the OID. */
const LATEST_OID = 11

/** Looks at a file; rejects in words of people where it cannot be read, or is empty. */
export async function givenFile(name: string): Promise<GivenFile> {
  const found = await stat(name).catch((error: unknown) => {
    throw unreadable(name, error)
  })
  if (found.isDirectory()) throw new Error(`${name} cannot be read: it is a folder; name the files in it`)
  if (!found.isFile()) throw new Error(`${name} cannot be read: it is not a file`)
  if (found.size === 0) throw new Error(`${name} is empty`)
  return { name, size: found.size, looks: await looksLike(name, found.size) }
}

async function looksLike(name: string, size: number): Promise<GivenFile['looks']> {
  if (withFile(name, looksLikeEvidence)) return 'evidence'
  if (withFile(name, (file) => looksLikePdf(file) || looksLikeZip(file))) return 'pdfOrZip'
  if (looksLikeRecord(name, await headOf(name))) return 'record'
  return (await looksSigned(name, size)) ? 'signed' : 'document'
}

/** Looks at files, each once. */
export async function givenFiles(names: readonly string[]): Promise<GivenFile[]> {
  const given: GivenFile[] = []
  for (const name of new Set(names)) given.push(await givenFile(name))
  return given
}

/** The bytes of a file that looks signed. */
export async function signedBytes({ name, size }: GivenFile): Promise<Buffer> {
  if (size > LONGEST_SIGNED)
    throw new Error(`${name} is too large: of signatures and what they carry, at most 1 GiB is read`)
  return readFile(name).catch((error: unknown) => {
    throw unreadable(name, error)
  })
}

/** Digests of a file by these algorithms, and always by SHA-256; it is never in memory as a whole. */
export const digestsOf = (name: string, oids: Iterable<string>): Map<string, Buffer> =>
  withFile(name, (file) => hashesOf(file, [SHA_256, ...oids]))

const SHA_256 = '2.16.840.1.101.3.4.2.1'

async function looksSigned(name: string, size: number): Promise<boolean> {
  const head = await headOf(name)
  if (isSignedData(head)) return true
  const text = head
    .toString('latin1')
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .trimStart()
  if (/^-----BEGIN (?:CMS|PKCS7)-----/.test(text)) return true
  if (text.startsWith('<')) return size <= LONGEST_XML && holdsXmlSignature(await readFile(name, 'utf8'))
  return isSignedData(Buffer.from(text.replaceAll(/[\r\n]/g, '').slice(0, 64), 'base64'))
}

async function headOf(name: string): Promise<Buffer> {
  const file = await open(name).catch((error: unknown) => {
    throw unreadable(name, error)
  })
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
    return buffer.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

function isSignedData(head: Buffer): boolean {
  const at = head.subarray(0, LATEST_OID + SIGNED_DATA.length).indexOf(SIGNED_DATA)
  return head[0] === SEQUENCE && at >= 2
}

/** Whether there is more than the name: a verdict tells for certain. */
const holdsXmlSignature = (text: string): boolean =>
  text.includes('http://www.w3.org/2000/09/xmldsig#') && /<(?:[^\s<>/:]+:)?Signature[\s>]/.test(text)
