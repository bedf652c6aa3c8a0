import { digest, digestAlgorithm } from './algorithms/digest.js'
import { defaultAlgorithmPolicy, requireTrustedDigest } from './algorithms/policy.js'
import type { DocumentContent } from './document-content.js'
import { timeStampRefusal } from './evidence-refusal.js'
import { hasEnded, reasonOr, type TsaExpiry } from './proven-times.js'
import { asSeen, type Seen } from './seen.js'
import type { Archived, CarriedArchive, ReadSignature, UnusedEvidence } from './signature.js'
import { EvidencePool, type EvidenceSet } from './status/evidence-pool.js'
import { type TimeStamp, type TimeStampContext, verifyTimeStampToken } from './timestamp/verify-time-stamp.js'

/** Archive time stamps of one signature that are validated, and those whose imprint is compared before. */
const MAX_ARCHIVES = 16
const MAX_READ = 64
/** Octets that are hashed for them, after which none is begun. */
const MAX_HASHED = 512 * 1024 * 1024

/** Inputs of judging archive time stamps. */
export interface ArchiveContext extends Omit<TimeStampContext, 'request' | 'evidence' | 'against'> {
  readonly tsaExpiry?: TsaExpiry | undefined
  /** Evidence in addition to what the signature carries. */
  readonly beside: EvidenceSet
}

/** What the archive time stamps of a signature prove. */
export interface ArchiveProofs {
  /** When the signature was seen, and with what of its evidence; the earliest first. */
  readonly seen: readonly Seen[]
  readonly unused: readonly UnusedEvidence[]
}

interface Proof {
  readonly stamp: TimeStamp
  readonly archived: Archived
}

/**
 * Judges the archive time stamps of a signature (EN 319 102-1, past signature validation), the newest first: it has to be good now, or
 * at `existedAt`, and each that it covers at its time. One that covers something younger than itself is refused with `order`.
 */
export function archiveProofs(
  signature: ReadSignature,
  content: DocumentContent | undefined,
  context: ArchiveContext,
): ArchiveProofs {
  const judge = new ArchiveJudge(signature, content, context)
  const newestFirst = [...(signature.carried.archives ?? [])].sort((a, b) => (b.time ?? 0) - (a.time ?? 0))
  for (const archive of newestFirst) judge.add(archive)
  return judge.result()
}

class ArchiveJudge {
  private readonly proofs: Proof[] = []
  private readonly unused: UnusedEvidence[] = []
  private judged = 0
  private read = 0
  private hashed = 0
  private readonly all: EvidencePool

  constructor(
    private readonly signature: ReadSignature,
    private readonly content: DocumentContent | undefined,
    private readonly context: ArchiveContext,
  ) {
    const { beside, trust, now, algorithms } = context
    this.all = EvidencePool.empty().with([signature.carried, beside], { trust, now, algorithms, candidates: this.own })
  }

  add(archive: CarriedArchive): void {
    const found = reasonOr(() => {
      if (this.judged === MAX_ARCHIVES || this.read === MAX_READ || this.hashed > MAX_HASHED) return 'tooMany'
      // The imprint first: anybody may add tokens over other data.
      this.read += 1
      const archived = archive.read(this.content)
      this.requireImprint(archived)
      this.requireOrder(archive, archived)
      const proof = this.coverer(archive.token)
      const stamp = this.stampOf(archive, archived, proof)
      const until = proof?.stamp.genTime ?? this.context.existedAt ?? this.context.now
      if (stamp.genTime > until) return 'order'
      return this.context.tsaExpiry !== 'accept' && hasEnded(stamp, until) ? 'authorityEnded' : { stamp, archived }
    })
    if (typeof found === 'string') this.unused.push({ kind: 'archiveTimeStamp', reason: found, time: archive.time })
    else this.proofs.push(found)
  }

  result(): ArchiveProofs {
    const { certificateNamed, signer } = this.signature
    const seen = this.proofs
      .filter(({ archived }) => certificateNamed || archived.covers(signer.der))
      .map(({ stamp, archived }): Seen => {
        const covers = (octets: Uint8Array) => archived.covers(octets)
        return { existedAt: stamp.genTime, by: 'archiveTimeStamp', covers }
      })
    return { seen: seen.sort((a, b) => a.existedAt - b.existedAt), unused: this.unused }
  }

  private get own() {
    return [...this.signature.certificates, ...(this.context.candidates ?? [])]
  }

  /** The oldest accepted archive time stamp over a token. */
  private coverer(token: Uint8Array): Proof | undefined {
    return this.proofs
      .filter(({ archived }) => archived.covers(token))
      .reduce<Proof | undefined>((a, b) => (a === undefined || b.stamp.genTime < a.stamp.genTime ? b : a), undefined)
  }

  private stampOf({ token }: CarriedArchive, archived: Archived, proof: Proof | undefined): TimeStamp {
    const context = this.contextUnder(proof)
    const { algorithms = defaultAlgorithmPolicy, existedAt = context.now } = context
    this.judged += 1
    const stamp = verifyTimeStampToken(token, context)
    for (const oid of [archived.imprint.digestOid, ...archived.digestOids])
      requireTrustedDigest(algorithms, digestAlgorithm(oid), existedAt)
    return stamp
  }

  private requireImprint({ imprint: { digestOid, value }, imprinted }: Archived): void {
    const isSame = imprinted.some((pieces) => {
      this.hashed += pieces.reduce((sum, { length }) => sum + length, 0)
      return digest(digestOid, ...pieces).equals(value)
    })
    if (!isSame) throw timeStampRefusal('imprint')
  }

  /** By what a token is judged: by everything, or as of the time of a stamp over it by what that is over. */
  private contextUnder(proof: Proof | undefined): TimeStampContext {
    const { context, all } = this
    if (proof === undefined) return { ...context, candidates: this.own, evidence: all }
    const { trust, algorithms } = context
    const { carried, certificates: candidates } = asSeen(this.signature, (octets) => proof.archived.covers(octets))
    const existedAt = proof.stamp.genTime
    const evidence = EvidencePool.empty().with([carried], { trust, now: existedAt, algorithms, candidates })
    return { ...context, candidates, evidence, existedAt, against: all }
  }

  private requireOrder({ time = 0 }: CarriedArchive, { covers }: Archived): void {
    const younger = this.signature.carried.archives?.find((other) => (other.time ?? 0) > time && covers(other.token))
    if (younger !== undefined) throw timeStampRefusal('order')
  }
}
