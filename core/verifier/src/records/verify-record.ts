import { digest, digestAlgorithm } from '../algorithms/digest.js'
import { defaultAlgorithmPolicy, digestTrustedUntil, isTrustedDigest } from '../algorithms/policy.js'
import { RegistryError } from '../error.js'
import { itemAt } from '../item-at.js'
import { hasEnded, type TsaExpiry } from '../proven-times.js'
import { type TimeStamp, type TimeStampContext, verifyTimeStampToken } from '../timestamp/verify-time-stamp.js'
import { notProved, type Place } from './errors.js'
import { type ArchiveTimeStamp, type EvidenceRecord, readEvidenceRecord } from './evidence-record.js'
import { hashWithChains } from './hash-with-chains.js'
import { rootOf } from './reduced-tree.js'

/** Inputs of judging an evidence record. */
export interface RecordContext extends Omit<TimeStampContext, 'request' | 'existedAt'> {
  readonly tsaExpiry?: TsaExpiry | undefined
}

/** The hash of the data object by the OID of an algorithm; `undefined` where it is not at hand. */
export type HashOf = (oid: string) => Uint8Array | undefined

/** What an evidence record proves. */
export interface RecordProof {
  /** When the data object existed at the latest, milliseconds since the epoch. */
  readonly existedAt: number
  /** Until when the record proves it if it is not renewed, milliseconds; `Infinity` where nothing on it ends. */
  readonly holdsUntil: number
  readonly chains: readonly ProvedChain[]
}

/** A chain of a record: the digest of its trees, and its time stamps, the oldest first. */
export interface ProvedChain {
  readonly digestOid: string
  readonly stamps: readonly TimeStamp[]
}

/**
 * Judges an evidence record over a data object (RFC 4998, 5.3): each archive time stamp covers what it has to, is no older than the
 * one before, and was made while that one was still good; the last one is good now. Throws `evidenceRecordNotRead`, or
 * `evidenceRecordNotProved` with `details.chain` and `details.stamp`.
 */
export function verifyEvidenceRecord(record: Uint8Array, hashOf: HashOf, context: RecordContext): RecordProof {
  return new RecordVerification(readEvidenceRecord(record), hashOf, context).proof()
}

class RecordVerification {
  constructor(
    private readonly record: EvidenceRecord,
    private readonly hashOf: HashOf,
    private readonly context: RecordContext,
  ) {}

  /** From the newest on, since each time stamp shows that the one before existed in its time. */
  proof(): RecordProof {
    const proved: ProvedChain[] = []
    let [existedAt, holdsUntil]: (number | undefined)[] = []
    for (const [chain, { stamps }] of [...this.record.chains.entries()].reverse()) {
      const chainEnd = existedAt
      const own: TimeStamp[] = []
      for (const [stamp, one] of [...stamps.entries()].reverse()) {
        const found = placed({ chain, stamp }, () => this.judge(one, { chain, stamp, existedAt }))
        holdsUntil ??= this.holdsUntil(found)
        existedAt = found.genTime
        own.unshift(found)
      }
      const { digestOid } = itemAt(own, 0).info.imprint
      placed({ chain }, () => this.requireOneDigest(own, chainEnd))
      proved.unshift({ digestOid, stamps: own })
    }
    if (existedAt === undefined || holdsUntil === undefined) throw new TypeError('A record has time stamps')
    return { existedAt, holdsUntil, chains: proved }
  }

  private judge(one: ArchiveTimeStamp, { chain, stamp, existedAt }: Judging): TimeStamp {
    // First what is cheap: anybody may write a record.
    const { digestOid, value } = one.imprint
    if (one.digestOid !== digestOid) throw notProved('digestDiffers')
    const root = rootOf(digestOid, this.covered(digestOid, chain, stamp), one.reducedTree)
    if (Buffer.compare(root, value) !== 0) throw notProved('imprint')
    const found = verifyTimeStampToken(one.token, { ...this.context, existedAt })
    if (existedAt === undefined) {
      if (this.context.tsaExpiry !== 'accept' && hasEnded(found, this.context.now)) throw notProved('authorityEnded')
    } else {
      if (found.genTime > existedAt) throw notProved('order')
      if (hasEnded(found, existedAt)) throw notProved('renewedTooLate')
    }
    return found
  }

  /** The hash of what an archive time stamp has to cover. */
  private covered(oid: string, chain: number, stamp: number): Uint8Array {
    if (stamp > 0) return digest(oid, itemAt(itemAt(this.record.chains, chain).stamps, stamp - 1).token)
    const hash = this.hashOf(oid)
    if (hash === undefined) throw notProved('hashMissing', { oid })
    return chain === 0 ? hash : hashWithChains(oid, hash, this.record.chains.slice(0, chain))
  }

  /** The digest of a chain is the same all along, and was trusted until the next chain began. */
  private requireOneDigest(stamps: readonly TimeStamp[], chainEnd: number | undefined): void {
    const { algorithms = defaultAlgorithmPolicy, now } = this.context
    const [first = '', more] = new Set(stamps.map(({ info }) => info.imprint.digestOid))
    if (more !== undefined) throw notProved('digestDiffers')
    if (!isTrustedDigest(algorithms, digestAlgorithm(first), chainEnd ?? now))
      throw notProved('digestNotTrusted', { oid: first })
  }

  private holdsUntil({ path, trustedUntil, info }: TimeStamp): number {
    const { algorithms = defaultAlgorithmPolicy, now } = this.context
    const digestUntil = digestTrustedUntil(algorithms, info.imprint.digestOid, now)
    return Math.min(trustedUntil, digestUntil, ...path.certificates.map(({ notAfter }) => notAfter))
  }
}

interface Judging extends Place {
  /** When the next time stamp shows that this one existed; `undefined` of the last. */
  readonly existedAt: number | undefined
}

function placed<T>(place: Partial<Place>, judge: () => T): T {
  try {
    return judge()
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    if (error.code === 'evidenceRecordNotProved') throw error.with(place)
    const { reason, ...facts } = error.details ?? {}
    throw notProved('timeStamp', { ...facts, because: reason ?? error.code, ...place }, error)
  }
}
