import type { PublicKey } from '../algorithms/key.js'
import type { AlgorithmPolicy } from '../algorithms/policy.js'
import { signatureErrors } from '../errors.js'
import { itemAt } from '../item-at.js'
import type { Certificate } from '../x509/certificate.js'
import type { Budget } from './budget.js'
import { requireWellFormed } from './certificate-form.js'
import { purposesLeft } from './key-purposes.js'
import { ConstraintState } from './name-constraints.js'
import { failureFacts, pathFailure, refusingMalformed } from './path-failure.js'
import { type PolicyInputs, PolicyState } from './policy-state.js'
import { authorityKey, isSignedBy } from './signed-by.js'

/** Inputs of path validation. */
export interface PathRules {
  /** The time at which the path must be valid, ms since the epoch. */
  readonly time: number
  /** The validation time, at which algorithms must be trusted, ms since the epoch. */
  readonly now: number
  readonly algorithms: AlgorithmPolicy
  readonly budget: Budget
  readonly policies?: PolicyInputs | undefined
  /** Key purposes, one of which every certificate of the path must allow. */
  readonly purposes?: readonly string[] | undefined
}

/** Outputs of path validation. */
export interface PathFacts {
  /** The user-constrained policy set (RFC 5280 section 6.1.6). */
  readonly policies: ReadonlySet<string>
}

/**
 * Validates a certification path, leaf first and anchor last, by RFC 5280 section 6.1. Constraints in the anchor's certificate
 * are applied too (RFC 5937). Throws `certificatePathNotBuilt`, `algorithmNotTrusted`,
 * `certificateSignatureAlgorithmNotSupported`, or `signerCertificateNotValidNow` for the leaf, each with a reason.
 */
export function validatePath(certificates: readonly Certificate[], rules: PathRules): PathFacts {
  return new PathValidation(certificates, rules).run()
}

class PathValidation {
  private readonly length: number
  private readonly policies: PolicyState
  private readonly names = new ConstraintState()
  private pathLength: number
  private purposes: readonly string[] | undefined
  /** Whether an anchor that is the end of the path says which policies it is under. */
  private namesPolicies = false

  constructor(
    private readonly certificates: readonly Certificate[],
    private readonly rules: PathRules,
  ) {
    this.length = certificates.length - 1
    this.pathLength = this.length
    this.policies = new PolicyState(rules.policies ?? {}, this.length)
    this.purposes = rules.purposes
  }

  run(): PathFacts {
    const anchor = this.at(this.length)
    const leaf = this.at(0)
    let issuer = anchor
    this.guarded(anchor, () => this.begin(anchor, leaf))
    let key = authorityKey(anchor, this.rules.time)
    for (let index = this.length - 1; index >= 0; index -= 1) {
      const certificate = this.at(index)
      const issuerKey = key
      const signer = issuer
      key = this.guarded(certificate, () => this.process(certificate, signer, issuerKey, index === 0))
      issuer = certificate
    }
    return this.guarded(leaf, () => this.finish(leaf))
  }

  /**
   * The anchor: its validity and what it demands of the path (RFC 5937): purposes, policies and their mappings, names,
   * length. Its signature proves nothing. An anchor that is itself the end of the path is bound by what it says too.
   */
  private begin(anchor: Certificate, leaf: Certificate): void {
    this.checkValidity(anchor, anchor === leaf)
    requireWellFormed(anchor, this.rules.time, true)
    this.checkPurposes(anchor)
    const reason = this.policies.begin(anchor)
    if (reason !== undefined) throw this.failure(reason, anchor)
    if (anchor === leaf) this.namesPolicies = anchor.extensions.certificatePolicies !== undefined
    else {
      if (anchor.version === 3) this.checkAuthority(anchor)
      this.constrainNames(anchor)
      this.pathLength = Math.min(this.pathLength, anchor.extensions.basicConstraints?.pathLength ?? Infinity)
    }
  }

  /** Sections 6.1.3, and 6.1.4 for all but the last. */
  private process(certificate: Certificate, issuer: Certificate, issuerKey: PublicKey, last: boolean): PublicKey {
    const selfIssued = certificate.isSelfIssued
    this.checkValidity(certificate, last)
    if (!certificate.issuer.equals(issuer.subject)) throw this.failure('nameChaining', certificate)
    if (!isSignedBy(certificate, issuer, issuerKey, certificate, this.rules))
      throw this.failure('signatureMismatch', certificate)
    requireWellFormed(certificate, this.rules.time, false)
    if (last || !selfIssued) this.checkNames(certificate)
    if (!this.policies.process(certificate, selfIssued, last)) throw this.failure('noValidPolicy', certificate)
    this.checkPurposes(certificate)
    if (last) return issuerKey
    this.prepare(certificate, selfIssued)
    return authorityKey(certificate, this.rules.time, issuerKey)
  }

  /** Section 6.1.4. */
  private prepare(authority: Certificate, selfIssued: boolean): void {
    if (!this.policies.prepare(authority, selfIssued)) throw this.failure('anyPolicyMapped', authority)
    this.constrainNames(authority)
    this.checkAuthority(authority)
    if (!selfIssued) {
      if (this.pathLength <= 0) throw this.failure('pathLength', authority)
      this.pathLength -= 1
    }
    this.pathLength = Math.min(this.pathLength, authority.extensions.basicConstraints?.pathLength ?? Infinity)
  }

  /** Section 6.1.5. */
  private finish(leaf: Certificate): PathFacts {
    const policies = this.policies.wrapUp(leaf)
    if (policies === undefined && (this.length > 0 || this.namesPolicies)) throw this.failure('noValidPolicy', leaf)
    return { policies: policies ?? new Set() }
  }

  private checkValidity(certificate: Certificate, isLeaf: boolean): void {
    const { time } = this.rules
    const { notBefore, notAfter } = certificate
    if (time >= notBefore && time <= notAfter) return
    const facts = failureFacts(time < notBefore ? 'notYetValid' : 'expired', certificate, time, { notBefore, notAfter })
    throw signatureErrors.error(isLeaf ? 'signerCertificateNotValidNow' : 'certificatePathNotBuilt', facts)
  }

  /** Section 6.1.4 (k) and (n). */
  private checkAuthority(certificate: Certificate): void {
    const { basicConstraints, keyUsage } = certificate.extensions
    if (basicConstraints === undefined) throw this.failure('basicConstraintsMissing', certificate)
    if (!basicConstraints.ca) throw this.failure('notAnAuthority', certificate)
    if (keyUsage !== undefined && !keyUsage.has('keyCertSign')) throw this.failure('keyUsage', certificate)
  }

  private constrainNames({ extensions }: Certificate): void {
    if (extensions.nameConstraints !== undefined) this.names.add(extensions.nameConstraints)
  }

  private checkNames(certificate: Certificate): void {
    const violation = this.names.violation(certificate, this.rules.budget)
    if (violation === undefined) return
    const { reason, type, name } = violation
    throw this.failure(reason, certificate, { type, name })
  }

  private checkPurposes(certificate: Certificate): void {
    if (this.purposes === undefined) return
    this.purposes = purposesLeft(certificate, this.purposes)
    if (this.purposes.length === 0)
      throw this.failure('extendedKeyUsage', certificate, { purposes: this.rules.purposes })
  }

  private failure(reason: string, certificate: Certificate, facts: object = {}) {
    return pathFailure(reason, certificate, this.rules.time, facts)
  }

  private guarded<T>(certificate: Certificate, check: () => T): T {
    return refusingMalformed(certificate, this.rules.time, check)
  }

  private at(index: number): Certificate {
    return itemAt(this.certificates, index)
  }
}
