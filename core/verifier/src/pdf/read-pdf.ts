import type { ByteSource } from '../byte-source.js'
import { RegistryError } from '../error.js'
import type { Change, FileProblem, Revision, SignedFile } from '../signed-file.js'
import { allowedBy } from './certification.js'
import { compareRevisions } from './compare-revisions.js'
import { securityStore } from './document-security-store.js'
import { notRead } from './errors.js'
import { hashRanges } from './hash-ranges.js'
import { InflateBudget } from './inflate.js'
import { PdfDocument } from './pdf-document.js'
import { asInFile, type FoundSignature, type FoundSignatures, readSignatures } from './read-signatures.js'
import { type PdfRevision, revisionsOf } from './revisions.js'
import { unnamedSignatures } from './unnamed-signatures.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'
const HEADER = '%PDF-'

/** Whether a file begins as a PDF does. */
export const looksLikePdf = (source: ByteSource): boolean =>
  source.size >= HEADER.length && Buffer.from(source.read(0, HEADER.length)).toString('latin1') === HEADER

/**
 * Reads a PDF (ISO 32000-2): its signatures with the octets that they are over, its revisions, and what each revision changed of
 * what was signed before. Nothing is repaired: throws `fileNotRead` where its structure is not right.
 */
export function readPdf(source: ByteSource): SignedFile {
  if (!looksLikePdf(source)) throw notRead('headerMissing')
  const budget = new InflateBudget()
  const revisions = revisionsOf(source, budget)
  const newest = revisions.at(-1)
  if (newest === undefined) throw notRead('xrefBroken')
  const document = new PdfDocument(source, newest, budget)
  const { found, problems, numbers } = foundIn(source, document, revisions)
  const changed = changesSince(source, revisions, found, budget)
  const whole = { ranges: [[0, source.size]] as const, oids: new Set([SHA_256]) }
  const [own, ...digests] = hashRanges(source, [whole, ...found])
  const { signatures, timeStamps } = asInFile(found, digests)
  const made = revisions.map(({ end }, index): Revision => {
    const over = (isTimeStamp: boolean) =>
      found.filter((one) => one.isTimeStamp === isTimeStamp).flatMap((one, at) => (one.end === end ? [at] : []))
    return { end, signatures: over(false), timeStamps: over(true), changes: changed.changes[index] ?? [] }
  })
  return {
    format: 'pdf',
    documents: [{ name: '', size: source.size, digests: own ?? new Map() }],
    signatures,
    timeStamps,
    revisions: made,
    problems: [
      ...problems,
      ...unnamedSignatures(source, document, numbers),
      ...kinds(document),
      ...changed.problems,
      ...(found.length === 0 ? [] : behindEnd(source, newest.end)),
    ],
    beside: securityStore(document),
  }
}

function foundIn(...given: Parameters<typeof readSignatures>): FoundSignatures {
  try {
    return readSignatures(...given)
  } catch (error) {
    const [, document] = given
    // Its object streams are encrypted, too.
    if (error instanceof RegistryError && isEncrypted(document)) throw notRead('encrypted')
    throw error
  }
}

const isEncrypted = ({ revision }: PdfDocument): boolean => revision.trailer.get('Encrypt') !== null

/** Where the octets of a PDF end that signatures are over; 0 where nobody signed it. */
export const lastSignedEnd = ({ signatures }: Pick<SignedFile, 'signatures'>): number =>
  Math.max(0, ...signatures.map(({ over }) => (over.of === 'ranges' ? (over.ranges.at(-1)?.[1] ?? 0) : 0)))

interface Changed {
  /** Of each revision. */
  readonly changes: (readonly Change[])[]
  readonly problems: FileProblem[]
}

/** What each revision changed after the first signature, and what that makes of the signatures before. */
function changesSince(
  source: ByteSource,
  revisions: readonly PdfRevision[],
  found: readonly FoundSignature[],
  budget: InflateBudget,
): Changed {
  const changed: Changed = { changes: [], problems: [] }
  const signatures = found.filter(({ isTimeStamp }) => !isTimeStamp)
  const lastSigned = signatures.at(-1)?.end ?? 0
  const certified = certifications(source, revisions, signatures, budget)
  for (const [index, revision] of revisions.entries()) {
    const before = revisions[index - 1]
    const signed = signatures.filter(({ end }) => before !== undefined && end <= before.end)
    const last = signed.at(-1)
    if (before === undefined || last === undefined) {
      changed.changes.push([])
      continue
    }
    const older = new PdfDocument(source, before, budget)
    const newer = new PdfDocument(source, revision, budget)
    try {
      const allowed = certified.flatMap(({ end, kinds }) => (end <= before.end ? [kinds] : []))
      const changes = compareRevisions(source, older, newer).map((one) => asAllowed(one, allowed))
      changed.changes.push(changes)
      const isLater = revision.end > lastSigned
      if (changes.some(({ harmless }) => !harmless))
        changed.problems.push({ code: isLater ? 'addedAfterSigning' : 'changedAfterSigning', name: last.name })
      if (changes.some(({ forbidden }) => forbidden))
        changed.problems.push({ code: 'changeForbidden', name: last.name })
    } catch (error) {
      if (!(error instanceof RegistryError)) throw error
      changed.changes.push([])
      changed.problems.push({ code: 'revisionNotCompared', name: last.name, reason: String(error.details?.reason) })
    }
  }
  return changed
}

/** What certifications leave to others, as the revision says that was certified: a later one may say something else. */
function certifications(
  source: ByteSource,
  revisions: readonly PdfRevision[],
  signatures: readonly FoundSignature[],
  budget: InflateBudget,
): readonly { readonly end: number; readonly kinds: readonly Change['kind'][] }[] {
  return signatures.flatMap(({ end, dictionary }) => {
    const revision = revisions.find((one) => one.end === end)
    const kinds = revision && allowedBy(new PdfDocument(source, revision, budget), dictionary)
    return kinds === undefined ? [] : [{ end, kinds }]
  })
}

/** In a certified document a mark that was added may be seen, but nobody who certified it saw it. */
function asAllowed(change: Change, allowed: readonly (readonly Change['kind'][])[]): Change {
  const isAddedMark = change.box !== undefined && change.kind !== 'signature'
  return {
    ...change,
    harmless: change.harmless && !(allowed.length > 0 && isAddedMark),
    forbidden: allowed.some((kinds) => !kinds.includes(change.kind)),
  }
}

/** Kinds of PDF that are not judged: encrypted ones, whose objects cannot be compared, and forms in XML. */
function kinds(document: PdfDocument): FileProblem[] {
  const root = document.dictionary(document.revision.trailer.get('Root'))
  const form = document.dictionary(root?.get('AcroForm') ?? null)
  return [
    ...(isEncrypted(document) ? [{ code: 'unsupported', reason: 'encrypted' } as const] : []),
    ...(form === undefined || form.get('XFA') === null ? [] : [{ code: 'unsupported', reason: 'xfa' } as const]),
  ]
}

/** Ends of lines behind the last `%%EOF` say nothing. */
function behindEnd(source: ByteSource, end: number): FileProblem[] {
  return source.size - end <= 4 && source.read(end, source.size).every((octet) => octet === 0x0d || octet === 0x0a)
    ? []
    : [{ code: 'addedAfterSigning', reason: 'behindEndOfFile' }]
}
