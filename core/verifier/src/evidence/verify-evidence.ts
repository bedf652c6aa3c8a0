import { type ByteSource, sourceOf } from '../byte-source.js'
import type { NamedDocument } from '../compare-document.js'
import { RegistryError } from '../error.js'
import type { VerifyOptions } from '../verify.js'
import { type FilesVerdict, type GivenDocument, LARGEST_FOR_XML, verifyFiles, worstOutcome } from '../verify-files.js'
import type { Certificate } from '../x509/certificate.js'
import { certificatesIn, givenSignature } from './bundle-signatures.js'
import {
  copiesThatDiffer,
  isOneFile,
  namedAlgorithms,
  originalThatDiffers,
  signaturesOfOther,
  statedDigests,
} from './compare-bundle.js'
import { overOf } from './covered.js'
import { judgeNote, PROBLEM_OF_NOTE, type StatementState } from './evidence-note.js'
import { hashedRanges } from './hashed-ranges.js'
import { hashesOf } from './hashes-of.js'
import { joinedVerdicts } from './joined-verdicts.js'
import { type JudgedSignature, LogJudgement, type LogTrustOptions, type LogVerdict } from './judge-log.js'
import { judgeRecord, type RecordVerdict, recordProblems, type SeenSignature } from './judge-record.js'
import { NOTE_FILE } from './known-files.js'
import { logProblems, notEstablished } from './log-problems.js'
import { type OpenDocument, type OpenEvidence, openEvidence } from './open-evidence.js'
import { distinctProblems, type EvidenceProblem, outcomeOfProblem, problemOf } from './problem.js'
import { type ProofOfExistence, proofsOfExistence } from './proofs-of-existence.js'
import { asOfSeen } from './seen-signatures.js'
import type { EvidenceStatement } from './statement.js'

/** Options of `verifyEvidence`; only `trust` is required. */
export interface EvidenceOptions
  extends Omit<VerifyOptions, 'document' | 'documents' | 'evidence' | 'candidates'>,
    LogTrustOptions {
  /** The registry's statement key, from a source that is trusted (`GET /api/statementKey`); its words are only its word without. */
  readonly key?: string | undefined
  /** Originals that the bundle does not have, or may be compared with. */
  readonly documents?: readonly DocumentBeside[]
}

/** A document beside a bundle: its hashes by the OID of the algorithm, or all of it, which is hashed as the bundle needs. */
export interface DocumentBeside extends Omit<GivenDocument, 'document'> {
  readonly document: ReadonlyMap<string, Uint8Array> | ByteSource
}

/** The verdict on a bundle: that on its files, and what is wrong with the bundle itself. */
export interface EvidenceVerdict extends FilesVerdict {
  readonly evidence: {
    readonly problems: readonly EvidenceProblem[]
    /** Who signed `evidence.json`; `missing` also where there is none. */
    readonly signedBy: StatementState
    /** What the registry says: proved to those alone who trust its key. */
    readonly said: EvidenceStatement | undefined
    /** The documents of `said`, in its order. */
    readonly documents: readonly BundledDocument[]
    /** What the transparency log of the registry proves, of each signature and of the hashes of each document. */
    readonly log: readonly LogVerdict[]
    /** What evidence records prove of the signatures that have one. */
    readonly records: readonly RecordVerdict[]
    /** Since when what signatures and hashes say existed at least, by others than the registry. */
    readonly proofsOfExistence: readonly ProofOfExistence[]
  }
}

/** A document of a bundle, and where its signatures stand in the verdict. */
export interface BundledDocument {
  readonly documentId: string
  readonly name: string
  /** Whether its original is in the bundle, was given beside it, or was not shown. */
  readonly original: 'inside' | 'beside' | 'notShown'
  readonly signatures: readonly number[]
}

/**
 * Verifies an evidence bundle (docs/evidence.md) offline: its form, every file, the originals, and each signature by the evidence
 * in the bundle. Never throws because of the bytes. Throws a `TypeError` for duplicate names of documents.
 */
export function verifyEvidence(bundle: Uint8Array | ByteSource, options: EvidenceOptions): EvidenceVerdict {
  const at = options.at ?? Date.now()
  try {
    const open = openEvidence(bundle instanceof Uint8Array ? sourceOf(bundle) : bundle)
    return new EvidenceVerification(open, { ...options, at }).verdict()
  } catch (error) {
    if (!(error instanceof RegistryError) || error.code !== 'evidenceNotRead') throw error
    const problem = problemOf(error)
    const nothing = { said: undefined, documents: [], log: [], records: [], proofsOfExistence: [] }
    const evidence = { problems: [problem], signedBy: 'missing', ...nothing } as const
    return { outcome: outcomeOfProblem(problem), at, signatures: [], documents: [], evidence }
  }
}

class EvidenceVerification {
  private readonly problems: EvidenceProblem[]
  private readonly candidates: readonly Certificate[]
  private readonly beside: readonly HashedDocument[]
  /** Given documents that are none of the bundle's. */
  private readonly strangers: Set<HashedDocument>
  private readonly judgement: LogJudgement
  private readonly log: LogVerdict[] = []
  private readonly records: RecordVerdict[] = []

  constructor(
    private readonly open: OpenEvidence,
    private readonly options: EvidenceOptions & { readonly at: number },
  ) {
    this.problems = [...open.problems]
    this.candidates = certificatesIn(open)
    this.beside = hashed(options.documents ?? [], open)
    this.strangers = new Set(this.beside)
    const { candidates } = this
    this.judgement = new LogJudgement(options, open.statement.hints.logKeys ?? [], {
      ...options,
      ...{ now: options.at, candidates },
    })
  }

  verdict(): EvidenceVerdict {
    const { statement: said, octets } = this.open
    const { at, key } = this.options
    const judged = this.open.documents.map((one) => this.document(one))
    const signedBy = octets.note === undefined ? 'missing' : judgeNote(octets.note, said, { ...octets, key })
    const code = PROBLEM_OF_NOTE[signedBy]
    if (code !== undefined) this.problems.push({ code, file: NOTE_FILE })
    const { log, records } = this
    const about = { problems: distinctProblems(this.problems), signedBy, said, log, records }
    return { at, ...joined(judged, [...this.strangers], about) }
  }

  private document(one: OpenDocument): JudgedDocument {
    const { key: _, documents: __, logPolicy: ___, logKeys: ____, ...options } = this.options
    const { documentId, title, size } = one.statement
    const shown = this.content(one)
    const name = shown?.name || title || documentId
    const over = shown && { name, document: shown.document }
    // Over this document alone: what a signature carries is no reason to take it for one of something else.
    const inRanges = hashedRanges(one.signatures, shown?.content)
    const signatures = one.signatures.map((signature) => ({
      ...givenSignature(signature, this.candidates),
      ...overOf(signature, over, inRanges.get(signature)),
    }))
    const files = { signatures, documents: over === undefined ? [] : [{ ...over, size }] }
    const today = verifyFiles(files, options)
    const readOf = (file: string) => judgedIn(today, file)?.signature
    this.problems.push(...copiesThatDiffer(one, readOf), ...signaturesOfOther(one, readOf))
    const seen = this.judgeRecords(one, readOf)
    const verdict = seen.size === 0 ? today : asOfSeen(today, files, seen, options)
    this.judgeLog(one, (file) => judgedIn(verdict, file))
    return { documentId, name, original: shown?.from ?? 'notShown', verdict }
  }

  /** Judges evidence records; those signatures by their files that they prove to have been seen. */
  private judgeRecords(
    { statement, signatures }: OpenDocument,
    readOf: (file: string) => JudgedSignature['signature'],
  ): Map<string, SeenSignature> {
    const context = { ...this.options, now: this.options.at }
    const judged = signatures.flatMap(
      (one) => judgeRecord(one, statement, readOf(one.statement.signature), context) ?? [],
    )
    const found = judged.map(({ verdict }) => verdict)
    this.records.push(...found)
    this.problems.push(...recordProblems(found))
    return new Map(judged.flatMap(({ verdict, seen }) => (seen === undefined ? [] : [[verdict.signature, seen]])))
  }

  /** Judges proofs of the log; they say nothing of what signatures prove by themselves. */
  private judgeLog(one: OpenDocument, judgedOf: (file: string) => JudgedSignature | undefined): void {
    const files = one.signatures.map(({ statement }) => statement.signature)
    const found = [
      ...this.judgement.digests(one),
      ...one.signatures.flatMap((own) =>
        this.judgement.signature(own, one.statement, judgedOf(own.statement.signature)),
      ),
    ]
    this.log.push(...found)
    this.problems.push(...logProblems(found))
    if (this.options.logPolicy !== undefined) this.problems.push(...notEstablished(files, found))
  }

  /** The original: its bytes where XML may need them, or its hashes; else that of the given documents that has its hashes. */
  private content(one: OpenDocument): Shown | undefined {
    const { statement, original, signatures } = one
    const digests = statedDigests(statement.digests)
    const copies = this.beside.filter((given) => isOneFile(given.digests, digests))
    for (const given of copies) this.strangers.delete(given)
    const [given] = copies
    const hasXml = signatures.some(({ statement: { signType } }) => signType === 'xml')
    const readFor = (content: ByteSource | undefined) =>
      hasXml && content !== undefined && content.size <= LARGEST_FOR_XML ? content.read(0, content.size) : undefined
    // Of a document that is given by hashes alone, those of its ranges are not known.
    const needsOctets = signatures.some(({ statement: { coverage } }) => coverage?.of === 'ranges')
    if (original === undefined) {
      if (given === undefined || (needsOctets && given.content === undefined)) return undefined
      const document = readFor(given.content) ?? given.digests
      return { from: 'beside', name: given.name, document, content: given.content }
    }
    const { name, content } = original
    const own = hashesOf(content, namedAlgorithms(one))
    this.problems.push(...originalThatDiffers(one, own))
    return { from: 'inside', name, document: readFor(content) ?? own, content }
  }
}

const judgedIn = ({ signatures }: FilesVerdict, file: string): FilesVerdict['signatures'][number] | undefined =>
  signatures.find((judged) => judged.file === file)

interface HashedDocument {
  readonly name: string
  readonly digests: ReadonlyMap<string, Uint8Array>
  readonly content: ByteSource | undefined
}

/** Documents beside a bundle, by all algorithms that it has hashes of. */
function hashed(documents: readonly DocumentBeside[], open: OpenEvidence): HashedDocument[] {
  const oids = new Set(open.documents.flatMap(namedAlgorithms))
  return documents.map(({ name, document }) =>
    'read' in document
      ? { name, digests: hashesOf(document, oids), content: document }
      : { name, digests: document, content: undefined },
  )
}

/** Names of the documents beside a bundle that are none of its own: they stand behind those that were shown. */
export const strangersOf = ({ documents, evidence }: Pick<EvidenceVerdict, 'documents' | 'evidence'>): string[] =>
  documents.slice(evidence.documents.filter(({ original }) => original !== 'notShown').length).map(({ name }) => name)

interface Shown extends NamedDocument {
  readonly from: 'inside' | 'beside'
  readonly content: ByteSource | undefined
}

interface JudgedDocument extends Omit<BundledDocument, 'signatures'> {
  readonly verdict: FilesVerdict
}

/** The verdicts on all documents as one; those that were given and are not in the bundle nobody signed. */
function joined(
  judged: readonly JudgedDocument[],
  strangers: readonly { readonly name: string }[],
  about: Omit<EvidenceVerdict['evidence'], 'documents' | 'proofsOfExistence'>,
): Omit<EvidenceVerdict, 'at'> {
  const { outcome, signatures, documents, places } = joinedVerdicts(judged.map(({ verdict }) => verdict))
  const unsigned = strangers.map(({ name }) => ({ name, signatures: [], signed: 'nothing' }) as const)
  const isOpen = unsigned.length > 0 || judged.some(({ original }) => original === 'notShown')
  const outcomes = [outcome, ...(isOpen ? (['unknown'] as const) : []), ...about.problems.map(outcomeOfProblem)]
  const bundled = judged.map(({ verdict: _, ...one }, index) => ({ ...one, signatures: places[index] ?? [] }))
  return {
    outcome: worstOutcome(outcomes),
    signatures,
    documents: [...documents, ...unsigned],
    evidence: {
      ...about,
      documents: bundled,
      proofsOfExistence: about.said === undefined ? [] : proofsOfExistence(about.said, signatures, about),
    },
  }
}
