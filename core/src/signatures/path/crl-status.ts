import { DerError } from '../der/reader.js'
import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'
import type { RevocationReason, RevokedEntry } from '../x509/crl-entries.js'
import type { ReasonFlag } from '../x509/distribution-points.js'
import type { Budget } from './budget.js'
import { allReasons, continues, coveredReasons, pointsOf } from './crl-scope.js'

/** What CRLs say about a certificate at a time. */
export type CrlStatus =
  | { readonly status: 'good'; readonly crls: readonly Crl[] }
  | { readonly status: 'revoked'; readonly crl: Crl; readonly revokedAt: number; readonly reason: RevocationReason }
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
        this.rules.budget.spend()
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
    if (!this.rules.isAuthentic(crl)) return undefined
    const delta = this.deltas.find((other) => continues(other, crl) && this.rules.isAuthentic(other))
    try {
      const late = delta && this.lookUp(delta)
      const early = late === undefined || !this.counts(late) ? this.lookUp(crl) : undefined
      const entry =
        late?.reason === 'removeFromCRL' ? undefined : late !== undefined && this.counts(late) ? late : early
      const isCurrent = this.isCurrent(crl) || (delta !== undefined && this.isCurrent(delta))
      if (entry !== undefined && this.counts(entry) && (isCurrent || entry.reason !== 'certificateHold'))
        return {
          status: 'revoked',
          crl: entry === late && delta ? delta : crl,
          revokedAt: entry.revokedAt,
          reason: entry.reason,
        }
      if (!isCurrent) return undefined
    } catch (error) {
      if (error instanceof DerError) return undefined
      throw error
    }
    for (const reason of reasons) this.covered.add(reason)
    this.used.push(crl)
    if (delta !== undefined) this.used.push(delta)
    return undefined
  }

  private lookUp(crl: Crl): RevokedEntry | undefined {
    return crl.entries.find(this.certificate.serialBytes, this.certificate.issuer)
  }

  private counts({ revokedAt, reason }: RevokedEntry): boolean {
    return reason !== 'removeFromCRL' && revokedAt <= this.rules.time
  }

  /** A CRL speaks for a time within its period, and for earlier ones as long as it still lists the certificate. */
  private isCurrent({ thisUpdate, nextUpdate }: Crl): boolean {
    const { time } = this.rules
    if (thisUpdate > time) return thisUpdate <= this.certificate.notAfter
    return nextUpdate !== undefined && time <= nextUpdate
  }
}
