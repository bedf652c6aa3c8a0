import { DerError } from '../der/reader.js'
import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'
import type { ReasonFlag } from '../x509/distribution-points.js'
import type { RevocationReason } from '../x509/revoked-entry.js'
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

/** What CRLs say about a certificate at a time. */
export type CrlStatus =
  | { readonly status: 'good'; readonly crls: readonly Crl[] }
  | Revocation
  | { readonly status: 'undetermined' }

/** What the status is determined with. */
export interface CrlRules {
  /** The moment that is judged: a later revocation does not count. */
  readonly time: number
  /** The moment at which CRLs were at hand: none may be from after it. */
  readonly now: number
  readonly crls: readonly Crl[]
  readonly budget: Budget
  /** Whether the CRL is signed by an authority that may sign it for this certificate; asked last, since it costs most. */
  isAuthentic(crl: Crl): boolean
}

/**
 * The status of a certificate by complete, delta and indirect CRLs (RFC 5280 section 6.3.3). An outdated CRL still proves a
 * revocation that it lists, other than a hold; nothing but current CRLs for all reasons prove a good status.
 */
export function crlStatus(certificate: Certificate, rules: CrlRules): CrlStatus {
  return new StatusSearch(certificate, rules).run()
}

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
        if (![...reasons].some((reason) => !this.covered.has(reason))) continue
        const revoked = this.consult(crl, reasons)
        if (revoked !== undefined) return revoked
        if (this.covered.size === allReasons.size) return { status: 'good', crls: this.used }
      }
    return { status: 'undetermined' }
  }

  /** Steps (c), (f)-(l) with one complete CRL and the newest delta that continues it. */
  private consult(crl: Crl, reasons: ReadonlySet<ReasonFlag>): CrlStatus | undefined {
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

  /** Whether a CRL may be used at all: what is wrong with any of its entries is wrong with all of it, and with no other. */
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

  /** The revocation that counts, of the delta CRL first. */
  private revocation(complete: Crl, delta: Crl | undefined): Revocation | undefined {
    const late = delta && this.lookUp(delta)
    if (late?.reason === 'removeFromCRL') return undefined
    return late ?? this.lookUp(complete)
  }

  /** What a CRL lists is revoked by the time it was issued, whatever later date the entry bears. */
  private lookUp(crl: Crl): Revocation | undefined {
    const entry = crl.entries.find(this.certificate.serialBytes, this.certificate.issuer)
    if (entry === undefined || Math.min(entry.revokedAt, crl.thisUpdate) > this.rules.time) return undefined
    return { status: 'revoked', crl, revokedAt: entry.revokedAt, reason: entry.reason }
  }

  /** A CRL speaks for a time within its period, and for earlier ones as long as it still lists the certificate. */
  private isCurrent({ thisUpdate, nextUpdate }: Crl): boolean {
    const { time } = this.rules
    if (thisUpdate > time) return thisUpdate <= this.certificate.notAfter
    return nextUpdate !== undefined && time <= nextUpdate
  }
}
