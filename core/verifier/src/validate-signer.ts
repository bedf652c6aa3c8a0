import { type ArchiveProofs, archiveProofs } from './archive-time-stamps.js'
import { Checks } from './checks.js'
import { type Comparison, compareDocuments, type NamedDocument } from './compare-document.js'
import { RegistryError } from './error.js'
import { signatureErrors } from './errors.js'
import { hasEnded, type Indicated, indicationOf, NOT_COMPARED, PASSED, unsupportedIn } from './indication.js'
import type { SignatureOpener } from './open-signatures.js'
import { isOutOfOrder, type ProvenTimes, provenTimes, type TsaExpiry } from './proven-times.js'
import { remembered } from './remembered.js'
import { asSeen, type Seen } from './seen.js'
import type { ReadSignature, UnusedEvidence } from './signature.js'
import { EvidencePool, type EvidenceSet } from './status/evidence-pool.js'
import { proveStatus } from './status/prove-status.js'
import { runSteps } from './steps.js'
import type { TimeStamp } from './timestamp/verify-time-stamp.js'
import type { Coverage, Missing, OpenedSignature, SignerVerdict } from './verdict.js'
import {
  type EvidenceSource,
  type SignatureContext,
  type SignatureProof,
  seenBefore,
  verification,
} from './verification.js'
import type { SignatureEvidence } from './verify-signature.js'
import type { XmlSignatureOptions } from './xml/open-signature.js'

/** Inputs for validating one signature. */
export interface SignerOptions extends Omit<SignatureContext, 'now' | 'evidence' | 'existedAt'> {
  readonly at: number
  readonly documents: readonly NamedDocument[]
  /** Evidence in addition to what is embedded; a time stamp belongs to the signer whose signature value it covers. */
  readonly evidence?: Partial<SignatureEvidence>
  /** Evidence that stands beside the signature in its file, such as the DSS of a PDF: it counts as what the signature carries. */
  readonly alongside?: Pick<EvidenceSet, 'answers' | 'crls'>
  /** Required coverage of XML signatures: `element` also accepts one that leaves parts of the document unsigned. */
  readonly covers?: 'document' | 'element'
  /**
   * Returns the bytes of external references of XML signatures (ASiC) by URI (see `filesByUri`); nothing is ever fetched. The
   * single one that it cannot find is the `document`.
   */
  readonly resolve?: XmlSignatureOptions['resolve']
  /** How to treat time stamps whose authority's certificate has expired; default `needsProof`. */
  readonly tsaExpiry?: TsaExpiry
}

/** Validates one signature: document, time and signer. Never throws because of its bytes. */
export function validateSigner(opener: SignatureOpener, options: SignerOptions): SignerVerdict {
  const open = remembered(opener)
  const existedAt = seenBefore({ existedAt: options.evidence?.existedAt, now: options.at })
  const given: readonly Seen[] = existedAt === undefined ? [] : [{ existedAt, by: 'evidenceRecord' }]
  const { seen, unused } = archivesOf(open, existedAt, options)
  let found: SignerVerdict | undefined
  // What it is proved with may be younger than what somebody else saw.
  for (const one of [...seen, ...given, undefined]) {
    const verdict = new SignerValidation(options, one, unused).judge(open)
    if (verdict.proof !== undefined) return verdict
    found ??= verdict
    if (!isLeftOpen(found)) break
  }
  if (found === undefined) throw new TypeError('nothing was judged')
  return isOutOfOrderOnly(found, unused) ? { ...found, subIndication: 'TIMESTAMP_ORDER_FAILURE' } : found
}

/** Whether proof is missing that archive time stamps would give, had they been in order (EN 319 102-1, 5.6.2.4). */
const isOutOfOrderOnly = ({ subIndication }: SignerVerdict, unused: readonly UnusedEvidence[]): boolean =>
  (subIndication?.endsWith('NO_POE') === true || subIndication === 'TRY_LATER') &&
  unused.some(({ reason }) => reason === 'order')

/** What the archive time stamps of a signature prove; nothing where it has none, or is not over what it has to be. */
function archivesOf(open: SignatureOpener, existedAt: number | undefined, options: SignerOptions): ArchiveProofs {
  try {
    const found = openedEver(open, existedAt ?? options.at)
    if (found.signature.carried.archives === undefined) return NO_ARCHIVES
    const { content } = compareDocuments(found, options.documents)
    const { at: now, evidence, ...rest } = options
    return archiveProofs(found.signature, content, { ...rest, now, existedAt, beside: besideOf(evidence) })
  } catch (error) {
    if (error instanceof RegistryError) return NO_ARCHIVES
    throw error
  }
}

const NO_ARCHIVES: ArchiveProofs = { seen: [], unused: [] }

/** A signature, also one whose algorithms have ended by then, which its archive time stamps may show to be older. */
function openedEver(open: SignatureOpener, at: number): OpenedSignature {
  try {
    return open(at)
  } catch (error) {
    if (!(error instanceof RegistryError) || !hasEnded(error)) throw error
    return open(Number(error.details?.trustedUntil) - 1)
  }
}

const besideOf = ({ ocsp, crls = [] }: Partial<SignatureEvidence> = {}): EvidenceSet => ({
  answers: ocsp === undefined ? [] : [ocsp],
  crls,
  isGiven: true,
})

const isLeftOpen = ({ indication, subIndication }: SignerVerdict): boolean =>
  indication === 'INDETERMINATE' && subIndication !== 'TIMESTAMP_ORDER_FAILURE'

type Proof = SignatureProof<TimeStamp | undefined>

class SignerValidation {
  private readonly unused: UnusedEvidence[] = []
  private found: OpenedSignature | undefined
  private compared: Pick<Comparison, 'document' | 'over'> = { document: 'unknown', over: undefined }
  /** Available evidence, once it was read. */
  private evidence: EvidencePool | undefined
  private isCounterSignature = false

  constructor(
    private readonly options: SignerOptions,
    /** When somebody else saw the signature, and with what of its evidence. */
    private readonly seen: Seen | undefined,
    unused: readonly UnusedEvidence[] = [],
  ) {
    this.unused.push(...unused)
  }

  /** As of when everything is judged that no time stamp dates. */
  private get seenAt(): number {
    return this.seen?.existedAt ?? this.options.at
  }

  judge(open: SignatureOpener): SignerVerdict {
    const checks = new Checks()
    this.isCounterSignature = open.countersigns === true
    try {
      const found = open(this.seenAt)
      this.found = found
      this.unused.push(...found.signature.carried.unused)
      const comparison = checks.run('document', found.signature.signer.subject, this.seenAt, () => {
        requireCoverage(found.covers, this.options)
        return compareDocuments(found, this.options.documents)
      })
      this.compared = comparison
      return this.asOfProvenTime(found.signature, comparison, checks)
    } catch (error) {
      return this.refused(error, checks, undefined)
    }
  }

  /** Validates as of the earliest proven time for which the evidence suffices, else as of now. */
  private asOfProvenTime(read: ReadSignature, { content }: Comparison, checks: Checks): SignerVerdict {
    const { seen, options } = this
    const { trust, algorithms, at: now } = options
    const covers = seen?.covers?.bind(seen)
    // What stands beside an archived signature may be younger than what was seen; it may only speak against it.
    const beside = covers === undefined ? (options.evidence ?? {}) : {}
    const given = covers === undefined ? (options.candidates ?? []) : []
    const signature = covers === undefined ? read : asSeen(read, covers)
    const candidates = [...signature.certificates, ...given]
    const rules = { trust, now: this.seenAt, algorithms, candidates }
    const more = covers === undefined && options.alongside !== undefined ? [options.alongside] : []
    const evidence = EvidencePool.empty().with([signature.carried, besideOf(beside), ...more], rules)
    const against = covers && this.everything(read)
    this.evidence = evidence
    const context = { ...options, candidates: given, now, evidence, against, existedAt: seen?.existedAt }
    const times = provenTimes(signature, beside.timeStamp, content, { ...context, candidates })
    this.unused.push(...evidence.unused, ...times.unused)
    let first: SignerVerdict | undefined
    for (const stamp of [...times.stamps, undefined]) {
      const own = new Checks(checks)
      try {
        requireOrder(signature, stamp, times, own)
        return this.passed(runSteps(verification(signature, this.source(stamp), context, own)), own)
      } catch (error) {
        first ??= this.refused(error, own, stamp)
        if (first.indication === 'TOTAL-FAILED' || first.subIndication === 'TIMESTAMP_ORDER_FAILURE') break
      }
    }
    if (first === undefined) throw new TypeError('no time was judged')
    return first
  }

  private everything({ carried, certificates }: ReadSignature): EvidencePool {
    const { trust, algorithms, at: now, evidence, candidates = [], alongside } = this.options
    const rules = { trust, now, algorithms, candidates: [...certificates, ...candidates] }
    return EvidencePool.empty().with([carried, besideOf(evidence), ...(alongside ? [alongside] : [])], rules)
  }

  private source(stamp: TimeStamp | undefined): EvidenceSource<TimeStamp | undefined> {
    return {
      timeStamp: () => stamp,
      status: ({ signer: certificate }, moment, context) =>
        proveStatus({ ...context, ...moment, certificate }, (unused) => this.unused.push(unused)),
    }
  }

  private passed(proof: Proof, checks: Checks): SignerVerdict {
    const indicated = this.compared.document === 'notCompared' ? NOT_COMPARED : PASSED
    const isDated = proof.timeStamp !== undefined || this.seen !== undefined
    const conclusion = isDated ? 'validAt' : 'validNow'
    const unasked = [...proof.unasked, ...(proof.timeStamp?.unasked ?? [])]
    return {
      ...this.verdict(indicated, proof.timeStamp, checks),
      conclusion,
      proof,
      unasked,
      missing: this.missing(proof),
    }
  }

  private refused(error: unknown, checks: Checks, stamp: TimeStamp | undefined): SignerVerdict {
    if (!(error instanceof RegistryError)) throw error
    const unsupported = unsupportedIn(error)
    if (error.code === 'signatureDoesNotCorrespond' && error.details?.reason === 'digest')
      this.compared = { document: 'differs', over: undefined }
    const isIntact = this.found !== undefined && this.compared.document !== 'differs'
    const conclusion = isIntact ? 'intact' : unsupported === undefined ? 'refused' : 'unsupported'
    return {
      ...this.verdict(indicationOf(error, stamp !== undefined || this.seen !== undefined), stamp, checks),
      conclusion,
      refusal: error,
      unsupported,
    }
  }

  private verdict(
    indicated: Indicated,
    stamp: TimeStamp | undefined,
    checks: Checks,
  ): Omit<SignerVerdict, 'conclusion'> {
    const { found, seen } = this
    const time = stamp?.genTime ?? this.seenAt
    return {
      ...indicated,
      ...this.compared,
      time,
      existedAt: stamp === undefined && seen === undefined ? undefined : { time, by: seen?.by ?? 'timeStamp' },
      refusal: undefined,
      unsupported: undefined,
      covers: found?.covers ?? (this.isCounterSignature ? 'signature' : undefined),
      coverage: found && coverageOf(found),
      signedBytes: found?.signedBytes,
      signature: found?.signature,
      proof: undefined,
      missing: found === undefined ? [] : this.missingWithout(found.signature, stamp),
      unasked: [],
      unused: distinct(this.unused),
      checks: checks.all,
    }
  }

  private missing({ timeStamp, unasked }: Proof): Missing[] {
    const signature = this.found?.signature
    return [
      ...(signature === undefined ? [] : this.missingWithout(signature, timeStamp)),
      ...(unasked.length === 0 ? [] : (['chainStatus'] as const)),
      ...(timeStamp === undefined || timeStamp.unasked.length === 0 ? [] : (['timeStampStatus'] as const)),
    ]
  }

  /** Missing pieces, whatever the verdict; none if evidence was not even read. */
  private missingWithout({ certificateNamed }: ReadSignature, stamp: TimeStamp | undefined): Missing[] {
    if (this.evidence === undefined) return []
    const { answers, crls } = this.evidence
    const hasStatus = answers.length + crls.length + (this.options.trust.crls?.length ?? 0) > 0
    return [
      ...(this.compared.document === 'notCompared' ? (['document'] as const) : []),
      ...(certificateNamed ? [] : (['signingCertificate'] as const)),
      ...(stamp === undefined ? (['timeStamp'] as const) : []),
      ...(hasStatus ? [] : (['status'] as const)),
    ]
  }
}

/** A signature over part of a document is accepted only if the caller allows it. */
function requireCoverage(found: SignerVerdict['covers'], { covers = 'document' }: SignerOptions): void {
  if (found === 'element' && covers === 'document')
    throw signatureErrors.error('signatureDoesNotCorrespond', { reason: 'coversElement' })
}

const coverageOf = ({ covers, signature: { references } }: OpenedSignature): Coverage =>
  covers === undefined || covers === 'document' ? { of: 'content' } : { of: 'references', uris: references ?? [] }

/** What was signed is older than the signature (EN 319 102-1, 5.6.2.4). */
function requireOrder(
  { signer }: ReadSignature,
  stamp: TimeStamp | undefined,
  times: ProvenTimes,
  checks: Checks,
): void {
  if (stamp === undefined || !isOutOfOrder(stamp, times.content)) return
  checks.run('timeStamp', signer.subject, stamp.genTime, () => {
    const facts = { reason: 'order', genTime: stamp.genTime, contentTime: times.content?.genTime }
    throw signatureErrors.error('invalidTspTimeStamp', facts)
  })
}

const distinct = (all: readonly UnusedEvidence[]): UnusedEvidence[] => [
  ...new Map(all.map((one) => [`${one.kind} ${one.reason} ${one.time}`, one])).values(),
]
