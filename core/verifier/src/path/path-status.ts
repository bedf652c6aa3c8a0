import type { PublicKey } from '../algorithms/key.js'
import type { AlgorithmPolicy } from '../algorithms/policy.js'
import { DerError } from '../der/reader.js'
import { RegistryError } from '../error.js'
import { signatureErrors } from '../errors.js'
import { itemAt } from '../item-at.js'
import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'
import type { Name } from '../x509/name.js'
import type { Budget } from './budget.js'
import { type CrlStatus, crlStatus } from './crl-status.js'
import type { PathCheck } from './path-context.js'
import { failureFacts } from './path-failure.js'
import { authorityKey, isSignedBy } from './signed-by.js'

/** Inputs of revocation checking for a path. */
export interface RevocationRules {
  readonly time: number
  /** The validation time. */
  readonly now: number
  readonly crls: readonly Crl[]
  /** Which certificates need a known status; revoked ones are refused in any case. */
  readonly required: 'none' | 'leaf' | 'all'
  /** Collects what proved a good status. */
  readonly witnesses: Witnesses
  readonly algorithms: AlgorithmPolicy
  readonly budget: Budget
  /** All available certificates with this subject. */
  certificatesOf(name: Name): readonly Certificate[]
  /** Whether a certificate has a path to this anchor that is valid at a time and passes the check. */
  hasPath(certificate: Certificate, anchor: Certificate, time: number, check: PathCheck): boolean
}

/** What proved a good status: CRLs, and their signers other than the issuer. */
export interface Witnesses {
  readonly crls: Set<Crl>
  readonly signers: Set<Certificate>
  /** The certificates with a proven good status. */
  readonly good: Set<Certificate>
}

interface Issuer {
  readonly certificate: Certificate
  readonly key: PublicKey
  readonly anchor: Certificate
}

/**
 * Checks every certificate below the anchor against CRLs (RFC 5280 sections 6.1.3 (a)(3) and 6.3). Throws `invalidCertificateStatus`
 * with reason `revoked`, or `undetermined` where a status is required.
 */
export function requireUnrevoked(certificates: readonly Certificate[], rules: RevocationRules): void {
  new PathStatus(rules, new Set()).require(certificates)
}

class PathStatus {
  constructor(
    private readonly rules: RevocationRules,
    /** Pairs of CRL and signer being checked: breaks cycles. */
    private readonly inProgress: Set<string>,
  ) {}

  require(certificates: readonly Certificate[]): void {
    const anchor = itemAt(certificates, certificates.length - 1)
    let key: PublicKey | undefined
    // From the anchor down, so that an issuer is checked before the CRLs it signed.
    for (let index = certificates.length - 2; index >= 0; index -= 1) {
      const certificate = itemAt(certificates, index + 1)
      key = authorityKey(certificate, this.rules.time, key)
      const required = this.rules.required === 'all' || (this.rules.required === 'leaf' && index === 0)
      this.requireGood(itemAt(certificates, index), { certificate, key, anchor }, { required, isAuthority: index > 0 })
    }
  }

  private requireGood(
    certificate: Certificate,
    issuer: Issuer,
    { required, isAuthority }: { readonly required: boolean; readonly isAuthority: boolean },
  ): void {
    const found = this.statusOf(certificate, issuer)
    if (found.status === 'good') {
      for (const crl of found.crls) this.rules.witnesses.crls.add(crl)
      this.rules.witnesses.good.add(certificate)
      return
    }
    if (found.status === 'undetermined' && !required) return
    const revoked = found.status === 'revoked' ? { revokedAt: found.revokedAt, revocationReason: found.reason } : {}
    const facts = failureFacts(found.status, certificate, this.rules.time, {
      ...revoked,
      ...(isAuthority && { isAuthority }),
    })
    throw signatureErrors.error('invalidCertificateStatus', facts)
  }

  /** A CRL may prove the status of its own signer's certificate only if no other does. */
  private statusOf(certificate: Certificate, issuer: Issuer): CrlStatus {
    for (const ownCounts of [false, true]) {
      const isAuthentic = (crl: Crl) => this.isAuthentic(crl, issuer, ownCounts)
      const found = crlStatus(certificate, { ...this.rules, isAuthentic })
      if (found.status !== 'undetermined' || this.inProgress.size === 0) return found
    }
    return { status: 'undetermined' }
  }

  /** Section 6.3.3 (f), (g): the issuer's own key, or another certificate of the CRL issuer under the same anchor. */
  private isAuthentic(crl: Crl, { certificate, key, anchor }: Issuer, ownCounts: boolean): boolean {
    if (certificate.subject.equals(crl.issuer) && this.isSigner(crl, certificate, () => key)) return true
    return this.rules.certificatesOf(crl.issuer).some((signer) => {
      const signerKey = () => authorityKey(signer, this.rules.time)
      const isAuthentic = this.isSigner(crl, signer, signerKey) && this.isTrusted(crl, signer, anchor, ownCounts)
      if (isAuthentic) this.rules.witnesses.signers.add(signer)
      return isAuthentic
    })
  }

  private isTrusted(crl: Crl, signer: Certificate, anchor: Certificate, ownCounts: boolean): boolean {
    const pair = `${crl.fingerprint}${signer.fingerprint}`
    if (this.inProgress.has(pair)) return ownCounts
    this.inProgress.add(pair)
    // A CRL issued after the time in question is checked as of its issuance.
    const time = Math.max(this.rules.time, crl.thisUpdate)
    const status = new PathStatus({ ...this.rules, time }, this.inProgress)
    try {
      return this.rules.hasPath(signer, anchor, time, (certificates) => status.require(certificates))
    } finally {
      this.inProgress.delete(pair)
    }
  }

  private isSigner(crl: Crl, signer: Certificate, keyOf: () => PublicKey): boolean {
    const { rules } = this
    try {
      if (signer.extensions.keyUsage?.has('cRLSign') === false) return false
      return isSignedBy(crl, signer, keyOf(), signer, rules)
    } catch (error) {
      if (error instanceof DerError || (error instanceof RegistryError && !rules.budget.exhausted)) return false
      throw error
    }
  }
}
