import type { SignatureInFile, SignedFile, TimeStampInFile } from '@signed-registry/verifier'
import {
  alongside,
  coverageOver,
  documentsFor,
  documentsOver,
  type JoinedFile,
  joinFile,
  judgeTimeStamp,
} from '@signed-registry/verifier/files'
import { CheckSigned } from '../checking/index.js'
import { digestsToJson, type NamedFile, ViewableDocuments } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { type JudgedInput, SignaturePolicy, signedFileErrors, TrustStore, worstOf } from '../signatures/index.js'
import type { CheckedFile } from './checked-file.js'

/** Signatures of one file that are judged. */
const MAX_SIGNATURES = 256
/** Registered documents found by each kind of access, for each document of a file, and documents that are looked for. */
const MAX_BY_EACH_ACCESS = 10
const MAX_LOOKED_FOR = 100

type CheckedSigner = CheckedFile['signatures'][number]
interface JudgedSigner {
  readonly signer: CheckedSigner
  /** The place of its signature in the file. */
  readonly signature: number
}

/** Judges the signatures of a file that was read, each over its part of it. */
export class JudgeFile {
  static readonly inject = {
    checking: CheckSigned,
    viewable: ViewableDocuments,
    policy: SignaturePolicy,
    trustStore: TrustStore,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof JudgeFile.inject>) {}

  /** Rejects with `fileNotRead` where there are too many signatures. */
  async judge(caller: Caller, file: SignedFile): Promise<Omit<CheckedFile, 'format' | 'size'>> {
    if (file.signatures.length > MAX_SIGNATURES)
      throw signedFileErrors.error('fileNotRead', { reason: 'tooManySignatures', limit: MAX_SIGNATURES })
    const judged = await this.signatures(caller, file)
    const signatures = judged.map(({ signer }) => signer)
    const joined = joinFile(
      file,
      judged.map(({ signer, signature }) => ({ ...signer, signature })),
    )
    return {
      outcome: joined.outcome,
      ...worstOf(signatures),
      judgedAt: this.use.clock.now(),
      signatures,
      documents: await this.documents(caller, file, joined),
      timeStamps: file.timeStamps.map((one) => this.timeStamp(file, one)),
      revisions: file.revisions.map(({ end, signatures: over, timeStamps, changes }) => ({
        end,
        signatures: judged.flatMap(({ signature }, index) => (over.includes(signature) ? [index] : [])),
        timeStamps: [...timeStamps],
        changes: changes.map(({ box, ...change }) => ({ ...change, ...(box && { box: [...box] }) })),
      })),
      problems: file.problems.map((problem) => ({ ...problem })),
    }
  }

  private async signatures(caller: Caller, file: SignedFile): Promise<JudgedSigner[]> {
    const { alongside: evidence, candidates } = alongside(file, {})
    const beside = { ...evidence, certificates: Buffer.concat(candidates.map(({ der }) => der)) }
    const judged: JudgedSigner[] = []
    for (const [signature, one] of file.signatures.entries()) {
      const documents = documentsFor(one, file)
      const coverage = coverageOver(one.over)
      const [only, more] = documents
      const over = only !== undefined && more === undefined && coverage !== undefined && { over: { ...only, coverage } }
      const input: JudgedInput = { name: one.name, signed: one.signed, documents, alongside: beside, ...over }
      const { signatures } = await this.use.checking.check(caller, input, namedIn(one, file))
      const names = [...documentsOver(one.over, file)]
      judged.push(...signatures.map((signer) => ({ signer: { ...signer, documents: names }, signature })))
    }
    return judged
  }

  private async documents(
    caller: Caller,
    file: SignedFile,
    { documents }: JoinedFile,
  ): Promise<CheckedFile['documents']> {
    const found: CheckedFile['documents'] = []
    for (const [index, { name, signatures, signed }] of documents.entries()) {
      const one = file.documents[index]
      if (one === undefined) continue
      const digests = [...one.digests.values()].map((digest) => Buffer.from(digest))
      const registered =
        index < MAX_LOOKED_FOR ? await this.use.viewable.withDigest(caller, digests, MAX_BY_EACH_ACCESS) : []
      const { size } = one
      found.push({ name, size, digests: digestsToJson(one.digests), signatures: [...signatures], signed, registered })
    }
    return found
  }

  private timeStamp(file: SignedFile, one: TimeStampInFile): CheckedFile['timeStamps'][number] {
    const { policy, trustStore, clock } = this.use
    const context = { trust: trustStore.trust(), now: clock.now(), algorithms: policy.algorithms }
    const { name, documents, stamp, refusal } = judgeTimeStamp(file, one, context)
    const reason = refusal?.details?.reason
    return {
      ...{ name, documents: [...documents] },
      ...(stamp && { time: stamp.genTime }),
      ...(refusal && {
        refusal: { code: refusal.code, message: refusal.message, ...(typeof reason === 'string' && { reason }) },
      }),
    }
  }
}

/** The first of the files that a signature over several names: it is registered under each, and with the same evidence. */
function namedIn({ over }: SignatureInFile, { documents }: SignedFile): NamedFile | undefined {
  const [first] = over.of === 'manifest' || over.of === 'references' ? over.documents : []
  const { document, uri, oid } = first ?? {}
  if (uri === undefined || oid === undefined) return undefined
  const digest = documents.find(({ name }) => name === document)?.digests.get(oid)
  return digest && { uri, oid, digest }
}
