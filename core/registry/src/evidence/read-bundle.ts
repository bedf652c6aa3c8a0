import { setImmediate as yieldToOthers } from 'node:timers/promises'
import { RegistryError } from '@signed-registry/verifier'
import {
  copiesThatDiffer,
  distinctProblems,
  type EvidenceProblem,
  evidenceErrors,
  isSignatureInGap,
  type JudgedRecord,
  judgeNote,
  judgeRecord,
  LogJudgement,
  type LogVerdict,
  logProblems,
  type OpenDocument,
  type OpenEvidence,
  type OpenSignature,
  originalThatDiffers,
  PROBLEM_OF_NOTE,
  partOf,
  piecesOf,
  recordProblems,
  type StatementState,
  signaturesOfOther,
  statedDigests,
  trustingOwnKey,
} from '@signed-registry/verifier/evidence'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { type Digests, receive } from '../originals/index.js'
import { Statements } from '../reports/index.js'
import {
  digestAlgorithms,
  documentUriOf,
  type ReadSignature,
  SignaturePolicy,
  SignatureVerifier,
  TrustStore,
} from '../signatures/index.js'
import { bundleErrors } from './errors.js'
import { EvidenceLimits } from './limits.js'
import { EvidenceParser } from './ports.js'

/** A bundle whose signatures were read; nothing of them is trusted. */
export interface ReadBundle {
  readonly open: OpenEvidence
  readonly signedBy: StatementState
  readonly documents: readonly ReadDocument[]
  readonly problems: readonly EvidenceProblem[]
  /** What the log of the registry that made it proves. */
  readonly log: readonly LogVerdict[]
}

/** A document of a bundle. */
export interface ReadDocument {
  readonly open: OpenDocument
  /** Hashes of the original; those that `evidence.json` says where it has none. */
  readonly digests: Digests
  readonly signatures: readonly {
    readonly open: OpenSignature
    /** `undefined` for one that cannot be read. */
    readonly read: ReadSignature | undefined
    /** What its evidence record says of it, and what that proves. */
    readonly record: JudgedRecord | undefined
    /** Hashes of what it is over, where that is ranges of an original that is there. */
    readonly inRanges: Digests | undefined
  }[]
}

/** Reads bundles with what `EvidenceParser` finds, and compares everything in them that needs no trust. */
export class ReadBundles {
  static readonly inject = {
    parser: EvidenceParser,
    verifier: SignatureVerifier,
    statements: Statements,
    limits: EvidenceLimits,
    trustStore: TrustStore,
    policy: SignaturePolicy,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof ReadBundles.inject>) {}

  /** Rejects with `evidenceUnavailable`, and `evidenceNotRead` where nothing can be said of any document. */
  async read(bytes: Uint8Array): Promise<ReadBundle> {
    const { parser, statements } = this.use
    if (parser === undefined) throw bundleErrors.error('evidenceUnavailable')
    const open = await parser.parse(bytes)
    this.assertFew(open.documents)
    const { octets, statement } = open
    const signedBy = octets.note === undefined ? 'missing' : judgeNote(octets.note, statement, octets)
    const problems = [...open.problems]
    const documents: ReadDocument[] = []
    for (const one of open.documents) {
      const document = await this.document(one)
      documents.push(document)
      problems.push(...problemsOf(document))
    }
    const log = await this.log(documents, statement.hints.logKeys ?? [])
    problems.push(...logProblems(log))
    const code = PROBLEM_OF_NOTE[signedBy]
    if (code !== undefined) problems.push({ code })
    return {
      open,
      signedBy: trustingOwnKey(signedBy, statement, statements.ownKey),
      documents,
      problems: distinctProblems(problems),
      log,
    }
  }

  /** Judges proofs of the log by the trust of this registry, which knows no other registry's log. */
  private async log(documents: readonly ReadDocument[], logKeys: readonly string[]): Promise<LogVerdict[]> {
    const { policy, trustStore, clock } = this.use
    const judgement = new LogJudgement({}, logKeys, { ...policy, trust: trustStore.trust(), now: clock.now() })
    const found: LogVerdict[] = []
    for (const { open, signatures } of documents) {
      await yieldToOthers()
      found.push(...judgement.digests(open))
      for (const one of signatures) {
        await yieldToOthers()
        found.push(...judgement.signature(one.open, open.statement, { signature: one.read }))
      }
    }
    return found
  }

  /** A request for little must not be answered by work without end: whatever is in a bundle is looked up, and judged. */
  private assertFew(documents: readonly OpenDocument[]): void {
    const { evidenceSignatures: limit } = this.use.limits
    const signatures = documents.reduce((sum, one) => sum + one.signatures.length, 0)
    if (documents.length > limit || signatures > limit)
      throw evidenceErrors.error('evidenceNotRead', { reason: 'tooLarge', limit })
  }

  private async document(open: OpenDocument): Promise<ReadDocument> {
    const said = new Map([...statedDigests(open.statement.digests)].filter(([oid]) => isKnown(oid)))
    const signatures: ReadDocument['signatures'][number][] = []
    for (const one of open.signatures) {
      await yieldToOthers()
      const read = await this.signature(one)
      const inRanges = read && (await rangesOf(one, open, read))
      signatures.push({ open: one, read, record: this.record(one, open, read), inRanges })
    }
    if (open.original === undefined) return { open, digests: said, signatures }
    const { content } = open.original
    const named = [...said.keys(), ...signatures.flatMap(({ read }) => read?.digests.map(({ oid }) => oid) ?? [])]
    const algorithms = named.filter(isKnown)
    return {
      open,
      digests: await receive({ size: content.size, stream: piecesOf(content) }, { algorithms }),
      signatures,
    }
  }

  /** Judges an evidence record by the trust of this registry. */
  private record(
    one: OpenSignature,
    { statement }: OpenDocument,
    read: ReadSignature | undefined,
  ): JudgedRecord | undefined {
    const { policy, trustStore, clock } = this.use
    return judgeRecord(one, statement, read, { ...policy, trust: trustStore.trust(), now: clock.now() })
  }

  private async signature({ statement, signed }: OpenSignature): Promise<ReadSignature | undefined> {
    try {
      const { signType, coverage } = statement
      const documentUri = documentUriOf(coverage)
      return await this.use.verifier.read({ signType, signature: signed, documentUri })
    } catch (error) {
      if (error instanceof RegistryError && error.kind !== 'unavailable') return undefined
      throw error
    }
  }
}

/** The hashes of the ranges that a signature is over. */
async function rangesOf(
  { statement: { coverage }, signed }: OpenSignature,
  { original }: OpenDocument,
  { digests }: ReadSignature,
): Promise<Digests | undefined> {
  if (coverage?.of !== 'ranges' || original === undefined) return undefined
  const { content } = original
  if (!isSignatureInGap(signed, coverage.ranges, content)) return undefined
  function* octets() {
    for (const [from, to] of coverage?.of === 'ranges' ? coverage.ranges : [])
      yield* piecesOf(partOf(content, from, to - from))
  }
  const size = coverage.ranges.reduce((sum, [from, to]) => sum + to - from, 0)
  return receive({ size, stream: octets() }, { algorithms: digests.map(({ oid }) => oid).filter(isKnown) })
}

const isKnown = (oid: string): boolean => digestAlgorithms.some((known) => known.oid === oid)

function problemsOf({ open, digests, signatures }: ReadDocument): EvidenceProblem[] {
  const readOf = (file: string) => signatures.find((one) => one.open.statement.signature === file)?.read
  return [
    ...originalThatDiffers(open, digests),
    ...copiesThatDiffer(open, readOf),
    ...signaturesOfOther(open, readOf),
    ...recordProblems(signatures.flatMap(({ record }) => record?.verdict ?? [])),
  ]
}
