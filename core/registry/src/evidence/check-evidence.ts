import { type DocumentVerdict, joinVerdicts, worstOutcome } from '@signed-registry/verifier'
import {
  certificatesIn,
  certificatesOf,
  leaveOutRevisions,
  outcomeOfProblem,
  overOf,
  type SeenSignature,
} from '@signed-registry/verifier/evidence'
import { CheckSigned, type SignatureSeen } from '../checking/index.js'
import { digestsToJson, ViewableDocuments } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { anyone } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { CheckedEvidence } from './checked-evidence.js'
import { checkedLog } from './checked-log.js'
import { checkedRecord } from './checked-record.js'
import { EvidenceWork } from './evidence-work.js'
import { type ReadBundle, ReadBundles, type ReadDocument } from './read-bundle.js'

/** Registered documents found by each kind of access, for each document of a bundle. */
const MAX_BY_EACH_ACCESS = 10

type CheckedDocument = CheckedEvidence['documents'][number]
type CheckedSignature = CheckedEvidence['signatures'][number]

/** Judges an evidence bundle, of this registry or another; stores nothing. */
export class CheckEvidence {
  static readonly operation = operation({
    id: 'checkEvidence',
    group: 'evidence',
    at: 'POST /checkEvidence',
    who: anyone(),
    summary: 'Judge an evidence bundle, of this registry or another; nothing is kept',
    description:
      'Its form, every file, the originals, and each signature by the evidence in the bundle, or by what is kept of one that is registered here, for whoever may view its document. No authority is asked. `signed-registry verify` and /check come to the same verdict without a registry.',
    upload: true,
    answer: CheckedEvidence,
    refuses: ['evidenceNotRead'],
  })
  static readonly inject = {
    reading: ReadBundles,
    checking: CheckSigned,
    viewable: ViewableDocuments,
    work: EvidenceWork,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof CheckEvidence.inject>) {}

  async execute(caller: Caller, { upload }: Input<typeof CheckEvidence.operation>): Promise<CheckedEvidence> {
    return this.use.work.withBundle(caller, upload, async (bytes) =>
      this.judged(caller, await this.use.reading.read(bytes)),
    )
  }

  private async judged(caller: Caller, bundle: ReadBundle): Promise<CheckedEvidence> {
    const { open, signedBy, problems } = bundle
    const { registry, rules, asOf, package: of } = open.statement
    const certificates = Buffer.concat(certificatesIn(open).map(({ der }) => der))
    const outcomes = problems.map(outcomeOfProblem)
    const documents: CheckedDocument[] = []
    const signatures: CheckedSignature[] = []
    for (const one of bundle.documents) {
      const own = await this.signatures(caller, one, certificates)
      const { original } = one.open
      const { outcome } = joinVerdicts(own, original ? [{ name: nameOf(one), size: original.content.size }] : [])
      outcomes.push(outcome, original ? 'proved' : 'unknown')
      // What later revisions of a PDF changed was compared by the registry that registered it, if it is this one.
      const { size } = one.open.statement
      if (signedBy !== 'trusted' && one.signatures.some(({ open }) => leaveOutRevisions(open.statement.coverage, size)))
        outcomes.push('unknown')
      documents.push(
        await this.document(
          caller,
          one,
          own.map((_, index) => signatures.length + index),
        ),
      )
      signatures.push(...own)
    }
    return {
      outcome: worstOutcome(outcomes),
      judgedAt: this.use.clock.now(),
      problems: problems.map(({ code, file }) => ({ code, ...(file !== undefined && { file }) })),
      statement: { signedBy, ...registry, rules, asOf },
      ...(of && { package: { packageId: of.packageId, title: of.title, storedAt: of.storedAt } }),
      ...{ documents, signatures },
      log: bundle.log.map(checkedLog),
      records: bundle.documents.flatMap((one) =>
        one.signatures.flatMap(({ record }) => (record === undefined ? [] : [checkedRecord(record.verdict)])),
      ),
    }
  }

  private async signatures(caller: Caller, one: ReadDocument, certificates: Uint8Array): Promise<CheckedSignature[]> {
    const over = one.open.original && { name: nameOf(one), document: one.digests }
    const checked: CheckedSignature[] = []
    for (const { open, record, inRanges } of one.signatures) {
      const { statement, signed, timeStamp, ocsp, crls } = open
      const signatures = await this.use.checking.seen(
        caller,
        {
          name: statement.signature,
          signed,
          documents: over ? [over] : [],
          ...overOf(open, over, inRanges),
          beside: { timeStamp, ocsp, crls, certificates },
        },
        record?.seen && signatureSeen(record.seen),
      )
      const { signId, storedAt } = statement
      checked.push(...signatures.map((judged) => ({ ...judged, signId, storedAt })))
    }
    return checked
  }

  private async document(
    caller: Caller,
    { open, digests }: ReadDocument,
    signatures: number[],
  ): Promise<CheckedDocument> {
    const { documentId, title, storedAt, size } = open.statement
    const hashes = [...digests.values()].map((digest) => Buffer.from(digest))
    return {
      ...{ documentId, title, storedAt, size, signatures },
      digests: digestsToJson(digests),
      original: open.original ? 'inside' : 'notShown',
      registered: await this.use.viewable.withDigest(caller, hashes, MAX_BY_EACH_ACCESS),
    }
  }
}

/** What a record covers, and nothing else of the bundle: other evidence may be younger than what has fallen. */
const signatureSeen = ({ object, existedAt }: SeenSignature): SignatureSeen => ({
  signed: object.signature,
  beside: {
    ...{ timeStamp: object.timeStamp, ocsp: object.ocsp, crls: object.crls, existedAt },
    certificates: Buffer.concat(certificatesOf(object).map(({ der }) => der)),
  },
})

const nameOf = ({ open: { original, statement } }: ReadDocument): DocumentVerdict['name'] =>
  original?.name || statement.documentId
