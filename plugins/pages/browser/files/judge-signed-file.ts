import { RegistryError, type Revision, type SignedFile, type Trust } from '@signed-registry/verifier'
import { type ByteSource, hashesOf, partOf, piecesOf } from '@signed-registry/verifier/evidence'
import { judgeFile, readSignedFile } from '@signed-registry/verifier/files'
import { toBase64 } from '../bytes.js'
import { byteSource } from '../evidence/byte-source.js'
import { SHA256 } from '../evidence/sha256.js'
import { shownFile } from './from-verdict.js'
import { namesSignatures } from './names-signatures.js'
import type { SignedFileAnswer, SignedFileQuestion } from './shown-file.js'
import { wholeRevisions } from './whole-revisions.js'
import { wordsIn } from './words.js'

/** Reads a file of any signed kind, and judges it by nothing but what is given. */
export async function judgeSignedFile(question: SignedFileQuestion, trust: Trust): Promise<SignedFileAnswer> {
  const source = byteSource(question.signedFile)
  const read = await readIfSigned(source)
  if (read === undefined) return { unsigned: true }
  if ('reason' in read) return { notRead: { ...read, words: wordsIn[question.language], digests: sha256Of(source) } }
  const verdict = judgeFile(read, { trust, at: question.at ?? Date.now() })
  // Its document may be beside it.
  const isAlone = read.format === 'xml' && verdict.signatures.some(({ document }) => document !== 'carried')
  if (isAlone && isSignatureElement(source)) return { unsigned: true }
  return { file: { ...shownFile(verdict, question), digests: digestsOf(source, read) } }
}

type Unread = { readonly reason: string; readonly part?: string }

/** `undefined` for what nobody signed, as far as can be told. */
async function readIfSigned(source: ByteSource): Promise<SignedFile | Unread | undefined> {
  try {
    const read = await readSignedFile(source)
    return isSigned(read) ? read : undefined
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    const { reason, file } = error.details ?? {}
    if (reason === 'notSigned' || !(await isSaidToBeSigned(source, reason))) return undefined
    return { reason: String(reason), ...(typeof file === 'string' && { part: file }) }
  }
}

/** Whether it has anything to judge: a form in XML is no signature. */
function isSigned({ format, documents, signatures, timeStamps, problems }: SignedFile): boolean {
  if (format === 'cms') return documents.length > 0
  return (
    signatures.length + timeStamps.length > 0 || format !== 'pdf' || problems.some(({ reason }) => reason !== 'xfa')
  )
}

/** Whether a file that cannot be read says that it is signed. */
async function isSaidToBeSigned(source: ByteSource, reason: unknown): Promise<boolean> {
  if (reason === 'encrypted') return true
  const start = new TextDecoder('latin1').decode(source.read(0, Math.min(source.size, 1024)))
  if (start.startsWith('%PDF-')) return holds(source, '/ByteRange')
  if (start.startsWith('PK')) return namesSignatures((from, to) => source.read(from, to), source.size)
  return reason === 'jades' && (start.startsWith('eyJ') || start.includes('"protected"') || holds(source, '"signature'))
}

/** Whether an XML file is a signature and no document. */
function isSignatureElement(source: ByteSource): boolean {
  const start = new TextDecoder().decode(source.read(0, Math.min(source.size, 4096)))
  return /^\s*(?:<\?[^>]*>\s*|<!--[^>]*-->\s*)*<(?:[\w.-]+:)?Signature[\s>]/.test(start)
}

/** Whether octets of ASCII stand in it. */
function holds(source: ByteSource, text: string): boolean {
  let before = ''
  for (const piece of piecesOf(source)) {
    const here = before + new TextDecoder('latin1').decode(piece)
    if (here.includes(text)) return true
    before = here.slice(-text.length)
  }
  return false
}

/** Of the file, of a PDF as it was signed last, and of the files of a container. */
function digestsOf(source: ByteSource, read: SignedFile): string[] {
  const lastSigned = (revisions: readonly Revision[]) =>
    revisions.findLast(({ signatures }) => signatures.length > 0)?.end
  const ends = new Set([lastSigned(wholeRevisions(read)), lastSigned(read.revisions)])
  const signed = [...ends].flatMap((end) => (end === undefined ? [] : sha256Of(partOf(source, 0, end))))
  const inside = read.documents.map(({ digests }) => toBase64(digests.get(SHA256) ?? new Uint8Array()))
  return [...new Set([...signed, ...(read.format === 'pdf' ? [] : sha256Of(source)), ...inside])]
}

const sha256Of = (source: ByteSource): string[] => [...hashesOf(source, [SHA256]).values()].map(toBase64)
