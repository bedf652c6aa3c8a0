import { RULES_VERSION } from '@signed-registry/verifier'
import { signatureFile } from '@signed-registry/verifier/evidence'
import { asFileName, type DocumentRecord, DocumentStore, documentErrors } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import type { Digests } from '../originals/index.js'
import { Statements } from '../reports/index.js'
import { type BundledReport, LargeReading, ocspResponseOf, statedCoverage } from '../signatures/index.js'
import { BundleSignatures, type StoredSignature } from './bundle-signatures.js'
import { type BundledLog, BundledLogs } from './bundled-log.js'
import { bundleErrors } from './errors.js'
import { EvidenceWork } from './evidence-work.js'
import { asLogged } from './logged-parts.js'
import { type BuiltBundle, type Bundle, type DocumentInBundle, EvidenceBuilder } from './ports.js'

/** A document for a bundle. */
export interface DocumentToBundle {
  readonly document: DocumentRecord
  /** Its bytes, where they go along. */
  readonly original: (() => AsyncIterable<Uint8Array>) | undefined
}

/** A bundle, and how much of it is in memory until it is sent. */
export interface MadeBundle extends BuiltBundle {
  /** Bytes of everything but originals. */
  readonly held: number
}

/** Makes the evidence bundle of documents that the caller may view. */
export class MakeBundle {
  /** Refusals of an operation that makes one. */
  static readonly refuses = ['documentDigestsNotKnown', 'evidenceNotBuilt', 'evidenceNotSigned', 'statementKeyMissing']
  static readonly inject = {
    documents: DocumentStore,
    signatures: BundleSignatures,
    logs: BundledLogs,
    verifying: LargeReading,
    statements: Statements,
    builder: EvidenceBuilder,
    work: EvidenceWork,
    site: Site,
  }

  constructor(private readonly use: Injected<typeof MakeBundle.inject>) {}

  /**
   * All of it but originals, which are read when the bundle is; the same state gives the same bytes. Rejects with `refuses`
   * and `evidenceUnavailable`.
   */
  async make(caller: Caller, documents: readonly DocumentToBundle[], of?: Bundle['package']): Promise<MadeBundle> {
    const { builder, statements, site } = this.use
    if (builder === undefined) throw bundleErrors.error('evidenceUnavailable')
    const { verifierKey: statementKey } = statements
    return this.use.work.inTurn(caller, async () => {
      const parts = await this.parts(documents)
      const asOf = Math.max(of?.storedAt ?? 0, ...parts.map(lastChange))
      const report = await this.use.verifying.reportBundle(parts.map(reported), asOf)
      const { html, xml, certificates, anchors, timeStampPolicies } = report
      const built = builder.build({
        registry: { origin: site.baseUrl, name: site.name, statementKey },
        sign: (text) => statements.signOrRefuse(text),
        rules: RULES_VERSION,
        asOf,
        package: of,
        documents: inBundle(parts, report),
        ...{ certificates, anchors, timeStampPolicies },
        reports: { html, xml },
      })
      const streamed = documents.reduce((sum, one) => sum + (one.original ? one.document.signedDataSize : 0), 0)
      return { ...built, held: built.size - streamed, bytes: () => whenReadable(documents, built) }
    })
  }

  private async parts(documents: readonly DocumentToBundle[]): Promise<Part[]> {
    const ids = documents.map(({ document }) => document.id)
    const incomplete = documents.find(({ document }) => document.digestsFixedAt === undefined)
    if (incomplete !== undefined)
      throw documentErrors.error('documentDigestsNotKnown', { documentId: incomplete.document.id })
    const signatures = await this.use.signatures.of(ids)
    const digests = await this.use.documents.digestsOfAll(ids)
    const parts: Part[] = []
    for (const { document, original } of documents) {
      const own = signatures.get(document.id) ?? []
      parts.push({
        document,
        original,
        digests: digests.get(document.id) ?? new Map(),
        signatures: own,
        log: await this.use.logs.of(document.id, own),
      })
    }
    return parts
  }
}

/** A store that fails at once is told as an error, and not by a file that breaks off. */
async function* whenReadable(documents: readonly DocumentToBundle[], { bytes }: BuiltBundle) {
  for (const { original } of documents) if (original) for await (const _ of original()) break
  yield* bytes()
}

/** A document with what is stored of it. */
interface Part extends DocumentToBundle {
  readonly digests: Digests
  readonly signatures: readonly StoredSignature[]
  readonly log: BundledLog
}

/** When a document, its signatures or what proves them last changed; authorities' clocks may be ahead of ours. */
const lastChange = ({ document, signatures, log }: Part): number =>
  Math.max(
    document.storedAt,
    document.digestsFixedAt ?? 0,
    ...signatures.flatMap(({ storedAt, facts: { tsp, ocsp }, record }) => [
      storedAt,
      tsp?.timeStamp ?? 0,
      ocsp?.producedAt ?? 0,
      ocsp?.thisUpdate ?? 0,
      record?.renewedAt ?? 0,
    ]),
    ...[log.digests, ...log.signatures.values()].map((one) => one?.changedAt ?? 0),
  )

const reported = ({ document, digests, signatures, log }: Part) => ({
  name: document.title || document.id,
  size: document.signedDataSize,
  digests,
  signatures: signatures.map(({ signId, facts: { signType }, signed, evidence }) => ({
    name: signatureFile({ signId, signType }),
    ...{ signed, evidence },
  })),
  logged: asLogged({ document, digests, signatures, log }),
})

function inBundle(parts: readonly Part[], { signers }: BundledReport): DocumentInBundle[] {
  const left = [...signers]
  return parts.map(({ document, original, digests, signatures, log }) => ({
    documentId: document.id,
    title: document.title,
    description: document.description,
    isPrivate: document.settings.private === true,
    storedAt: document.storedAt,
    size: document.signedDataSize,
    digests,
    log: log.digests?.log,
    original: original && { name: asFileName(document.title) || document.id, bytes: original },
    signatures: signatures.map(({ signId, storedAt, facts: { signType, tsp, subject }, signed, evidence, record }) => {
      const found = left.shift()
      if (found === undefined) throw new TypeError(`Signature ${signId} cannot be read any more`)
      const { signer, stamped } = found
      return {
        ...{ signId, signType, storedAt, signer: signer || subject, signed, stamped },
        coverage: evidence.coverage && statedCoverage(evidence.coverage),
        timeStamp: evidence.timeStamp,
        stampedAt: tsp?.timeStamp ?? storedAt,
        ocsp: evidence.ocsp && ocspResponseOf(evidence.ocsp),
        crls: evidence.crls,
        log: log.signatures.get(signId)?.log,
        record,
      }
    }),
  }))
}
