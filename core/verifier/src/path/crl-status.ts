import { DerError } from '../der/reader.js'
import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'
import type { ReasonFlag } from '../x509/distribution-points.js'
import { isCompromise, type RevocationReason, type RevokedEntry } from '../x509/revoked-entry.js'
import type { Budget } from './budget.js'
import { allReasons, continues, coveredReasons, namesOf, pointsOf } from './crl-scope.js'

/** An entry that revokes a certificate, and the CRL that has it. */
export interface Revocation {
  readonly status: 'revoked'
  readonly crl: Crl
  /** Milliseconds since the epoch. */
  readonly revokedAt: number
  readonly reason: RevocationReason
}

/** Status of a certificate at a time according to CRLs. */
export type CrlStatus =
  | { readonly status: 'good'; readonly crls: readonly Crl[] }
  | Revocation
  | { readonly status: 'undetermined' }

/** Inputs for determining the status. */
export interface CrlRules {
  /** The time in question: later revocations are ignored. */
  readonly time: number
  /** The validation time: newer CRLs are ignored. */
  readonly now: number
  readonly crls: readonly Crl[]
  readonly budget: Budget
  /** Which revocations count; default all. */
  reasonCounts?(reason: RevocationReason): boolean
  /** Whether an authorised CRL issuer for this certificate signed the CRL; called last, since it is expensive. */
  isAuthentic(crl: Crl): boolean
}

/**
 * The status of a certificate by complete, delta and indirect CRLs (RFC 5280 section 6.3.3). Any CRL proves a revocation
 * that it lists, even if it is outdated or newer ones omit the certificate; a hold only if no newer CRL ends it. A good
 * status requires current CRLs for all reasons.
 */
export function crlStatus(certificate: Certificate, rules: CrlRules): CrlStatus {
  return new StatusSearch(certificate, rules).run()
}

/** Reasons of entries that are not a permanent revocation. */
const TEMPORARY_REASONS: ReadonlySet<RevocationReason> = new Set(['certificateHold', 'removeFromCRL'])

class StatusSearch {
  private readonly covered = new Set<ReasonFlag>()
  private readonly used: Crl[] = []
  private readonly complete: readonly Crl[]
  private readonly deltas: readonly Crl[]

  constructor(
    private readonly certificate: Certificate,
    private readonly rules: CrlRules,
  ) {
    const usable = rules.crls
      .filter((crl) => crl.thisUpdate <= rules.now && !crl.hasUnknownCriticalExtension)
      .sort((a, b) => b.thisUpdate - a.thisUpdate)
    this.complete = usable.filter((crl) => crl.baseNumber === undefined)
    this.deltas = usable.filter((crl) => crl.baseNumber !== undefined)
  }

  run(): CrlStatus {
    for (const point of pointsOf(this.certificate))
      for (const crl of this.complete) {
        this.rules.budget.spend(namesOf(point))
        const reasons = coveredReasons(crl, this.certificate, point)
        if (reasons.size === 0) continue
        const isNews = [...reasons].some((reason) => !this.covered.has(reason))
        const revoked = isNews ? this.consult(crl, reasons) : this.olderRevocation(crl)
        if (revoked !== undefined) return revoked
      }
    const late = this.revocationByDelta()
    if (late !== undefined) return late
    return this.covered.size === allReasons.size ? { status: 'good', crls: this.used } : { status: 'undetermined' }
  }

  /** A permanent revocation in a delta CRL counts even without its complete CRL and whatever newer ones say. */
  private revocationByDelta(): Revocation | undefined {
    for (const delta of this.deltas) {
      if (!this.mayList(delta) || !this.speaksOf(delta) || !this.isUsable(delta)) continue
      const found = this.lookUp(delta)
      if (found !== undefined && !TEMPORARY_REASONS.has(found.reason)) return found
    }
    return undefined
  }

  private speaksOf(crl: Crl): boolean {
    return pointsOf(this.certificate).some((point) => {
      this.rules.budget.spend(namesOf(point))
      return coveredReasons(crl, this.certificate, point).size > 0
    })
  }

  /** Steps (c), (f)-(l) with one complete CRL and the newest delta that continues it. */
  private consult(crl: Crl, reasons: ReadonlySet<ReasonFlag>): Revocation | undefined {
    if (!this.isUsable(crl)) return undefined
    const delta = this.deltas.find((other) => continues(other, crl) && this.isUsable(other))
    const isCurrent = this.isCurrent(crl) || (delta !== undefined && this.isCurrent(delta))
    const revoked = this.revocation(crl, delta)
    if (revoked !== undefined && (isCurrent || revoked.reason !== 'certificateHold')) return revoked
    if (!isCurrent) return undefined
    for (const reason of reasons) this.covered.add(reason)
    this.used.push(crl)
    if (delta !== undefined) this.used.push(delta)
    return undefined
  }

  /** A permanent revocation still counts if newer CRLs for the same reasons omit it. */
  private olderRevocation(crl: Crl): Revocation | undefined {
    if (!this.mayList(crl) && !this.deltas.some((delta) => continues(delta, crl) && this.mayList(delta)))
      return undefined
    if (!this.isUsable(crl)) return undefined
    const delta = this.deltas.find((other) => continues(other, crl) && this.isUsable(other))
    const revoked = this.revocation(crl, delta)
    return revoked?.reason === 'certificateHold' ? undefined : revoked
  }

  /** Whether a CRL lists the certificate: checked before its signature, which is expensive. */
  private mayList(crl: Crl): boolean {
    try {
      return this.lookUp(crl) !== undefined
    } catch (error) {
      if (error instanceof DerError) return false
      throw error
    }
  }

  /** Whether a CRL is authentic and well-formed: one malformed entry makes this CRL unusable, but no other. */
  private isUsable(crl: Crl): boolean {
    if (!this.rules.isAuthentic(crl)) return false
    try {
      this.lookUp(crl)
      return true
    } catch (error) {
      if (error instanceof DerError) return false
      throw error
    }
  }

  /** The revocation according to both CRLs, the delta first; removeFromCRL ends only a hold. */
  private revocation(complete: Crl, delta: Crl | undefined): Revocation | undefined {
    const late = delta && this.lookUp(delta)
    if (late !== undefined && late.reason !== 'removeFromCRL') return late
    const early = this.lookUp(complete)
    return late === undefined || early?.reason !== 'certificateHold' ? early : undefined
  }

  /** A listed certificate counts as revoked at thisUpdate at the latest, even if the entry has a later date. */
  private lookUp(crl: Crl): Revocation | undefined {
    const entry = crl.entries.find(this.certificate.serialBytes, this.certificate.issuer)
    if (entry === undefined || Math.min(invalidFrom(entry), crl.thisUpdate) > this.rules.time) return undefined
    if (this.rules.reasonCounts?.(entry.reason) === false) return undefined
    return { status: 'revoked', crl, revokedAt: entry.revokedAt, reason: entry.reason }
  }

  /** A CRL covers its validity period, and earlier times if the certificate had not expired by thisUpdate (it would still be listed). */
  private isCurrent({ thisUpdate, nextUpdate }: Crl): boolean {
    const { time } = this.rules
    if (thisUpdate > time) return thisUpdate <= this.certificate.notAfter
    return nextUpdate !== undefined && time <= nextUpdate
  }
}

/** A compromised key is invalid from its invalidity date on (RFC 5280 section 5.3.2). */
const invalidFrom = ({ revokedAt, reason, invalidSince = revokedAt }: RevokedEntry): number =>
  isCompromise(reason) ? Math.min(revokedAt, invalidSince) : revokedAt
