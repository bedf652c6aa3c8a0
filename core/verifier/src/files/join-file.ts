import { outcomeOfFileProblem, type SignedFile, type SignedPart } from '../signed-file.js'
import type { Coverage, SignerVerdict } from '../verdict.js'
import { type Outcome, outcomeOf, worstOutcome } from '../verify-files.js'

/** What of a verdict on a signer counts for its file. */
export interface JudgedInFile extends Pick<SignerVerdict, 'indication'> {
  readonly subIndication?: SignerVerdict['subIndication'] | string | undefined
  readonly covers?: string | undefined
  /** Its signature, by its place among those of the file: a CMS may have several signers. */
  readonly signature: number
}

/** A document of a file, and how much of it is signed. */
export interface SignedDocument {
  readonly name: string
  /** Verdicts about it, by their places. */
  readonly signatures: readonly number[]
  /** `part`: something was added to it that nobody signed. */
  readonly signed: 'whole' | 'part' | 'nothing'
}

/** What the signatures of a file come to. */
export interface JoinedFile {
  readonly outcome: Outcome
  readonly documents: readonly SignedDocument[]
}

/** The names of the documents that a signature is over. */
export function documentsOver(over: SignedPart, file: Pick<SignedFile, 'documents'>): readonly string[] {
  if (over.of === 'carried') return file.documents.map(({ name }) => name)
  if (over.of === 'document' || over.of === 'ranges') return [over.document]
  return over.documents.map(({ document }) => document)
}

/** What of the file a signature is over, where its place says so. */
export function coverageOver(over: SignedPart): Coverage | undefined {
  if (over.of === 'ranges') return { of: 'ranges', ranges: over.ranges }
  if (over.of === 'carried') return undefined
  return over.of === 'document' ? { of: 'content' } : { of: 'references', uris: over.documents.map(({ uri }) => uri) }
}

/**
 * One verdict on a file whose signatures were judged one by one: wrong beats unknown, and unknown beats proved. A document that
 * nobody signed, or that something was added to, leaves it unknown; problems of the file count as `outcomeOfFileProblem` says.
 */
export function joinFile(file: SignedFile, judged: readonly JudgedInFile[]): JoinedFile {
  const isAddedTo = file.problems.some(({ code }) => code === 'addedAfterSigning' || code === 'revisionNotCompared')
  // Once for each signature: ten thousand documents may be named by each of many.
  const over = file.signatures.map((one) => new Set(documentsOver(one.over, file)))
  const documents = file.documents.map(({ name }) => {
    const signatures = judged.flatMap(({ signature }, index) => (over[signature]?.has(name) ? [index] : []))
    return { name, signatures, signed: signatures.length === 0 ? 'nothing' : isAddedTo ? 'part' : 'whole' } as const
  })
  const own = judged.filter(({ covers }) => covers !== 'signature')
  return {
    outcome: worstOutcome([
      ...own.map(outcomeOf),
      ...documents.map(({ signed }) => (signed === 'whole' ? 'proved' : 'unknown')),
      ...file.problems.map(({ code }) => outcomeOfFileProblem[code]),
      ...(own.length === 0 ? (['unknown'] as const) : []),
    ]),
    documents,
  }
}
