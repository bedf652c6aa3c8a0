import type { ByteSource } from '../byte-source.js'
import { digestsOfCms, digestsOfToken } from '../cms/digests-of-cms.js'
import type { FileProblem, SignatureInFile, TimeStampInFile } from '../signed-file.js'
import type { PdfDocument } from './pdf-document.js'
import type { PdfRevision } from './revisions.js'
import { type SignatureDictionary, signatureDictionaries } from './signature-dictionaries.js'
import { type SignedRanges, signedRanges } from './signed-ranges.js'
import { nameText, type PdfDictionary } from './values.js'

/** A signature or a time stamp of a PDF whose form is right. */
export interface FoundSignature extends SignedRanges {
  readonly name: string
  readonly dictionary: PdfDictionary
  readonly isTimeStamp: boolean
  readonly oids: ReadonlySet<string>
}

/** Signatures, in the order of what they are over, and what is wrong with others. */
export interface FoundSignatures {
  readonly found: readonly FoundSignature[]
  readonly problems: readonly FileProblem[]
  /** Numbers of the objects of both. */
  readonly numbers: ReadonlySet<number>
}

/** Signatures and time stamps in one file. */
const MAX_SIGNATURES = 64
const CMS: readonly unknown[] = ['ETSI.CAdES.detached', 'adbe.pkcs7.detached']
const TIME_STAMP = 'ETSI.RFC3161'
const KNOWN_OTHERS: readonly unknown[] = ['adbe.pkcs7.sha1', 'adbe.x509.rsa_sha1']

/** The signatures of a PDF (ISO 32000-2, 12.8; EN 319 142-1). */
export function readSignatures(
  source: ByteSource,
  document: PdfDocument,
  revisions: readonly PdfRevision[],
): FoundSignatures {
  const { signatures, broken } = signatureDictionaries(document)
  const problems: FileProblem[] = broken.map(({ name, reason }) => ({ code: 'signatureBroken', name, reason }))
  const found: FoundSignature[] = []
  const ends = revisions.map(({ end }) => end)
  for (const one of signatures.slice(0, MAX_SIGNATURES)) {
    const read = readOne(source, document, one, ends)
    if ('code' in read) problems.push(read)
    else found.push(read)
  }
  for (const { name } of signatures.slice(MAX_SIGNATURES))
    problems.push({ code: 'unsupported', name, reason: 'tooManySignatures' })
  found.sort((one, other) => one.end - other.end)
  const numbers = new Set(signatures.flatMap(({ number }) => number ?? []))
  return { found, problems: [...problems, ...sameRevision(found)], numbers }
}

function readOne(
  source: ByteSource,
  document: PdfDocument,
  { name, number, dictionary }: SignatureDictionary,
  ends: readonly number[],
): FoundSignature | FileProblem {
  const broken = (reason: string): FileProblem => ({ code: 'signatureBroken', name, reason })
  const format = nameText(document.resolve(dictionary.get('SubFilter')))
  if (KNOWN_OTHERS.includes(format)) return { code: 'unsupported', name, reason: 'subFilter' }
  const isTimeStamp = format === TIME_STAMP
  if (!isTimeStamp && !CMS.includes(format)) return broken('subFilter')
  // In an object stream its `Contents` would be no octets of the file.
  if (number !== undefined && document.entries.get(number)?.in !== 'file') return broken('gapNotContents')
  const read = signedRanges(dictionary, source, ends)
  if (typeof read === 'string') return broken(read)
  return {
    ...read,
    name,
    dictionary,
    isTimeStamp,
    oids: isTimeStamp ? digestsOfToken(read.cms) : digestsOfCms(read.cms),
  }
}

/** Of two signatures over one revision each would leave out the other. */
function sameRevision(found: readonly FoundSignature[]): FileProblem[] {
  return found.flatMap(({ end, name }, index) =>
    found[index - 1]?.end === end ? [{ code: 'signatureBroken', name, reason: 'revisionOfOther' } as const] : [],
  )
}

type Made = { readonly signatures: SignatureInFile[]; readonly timeStamps: TimeStampInFile[] }

/** Signatures and time stamps as a file has them. */
export function asInFile(found: readonly FoundSignature[], digests: readonly ReadonlyMap<string, Uint8Array>[]): Made {
  const made: Made = { signatures: [], timeStamps: [] }
  for (const [index, { name, cms, ranges, isTimeStamp }] of found.entries()) {
    const over = { of: 'ranges', document: '', ranges, digests: digests[index] ?? new Map() } as const
    if (isTimeStamp) made.timeStamps.push({ name, token: cms, over })
    else made.signatures.push({ name, signType: 'cms', signed: cms, over })
  }
  return made
}
