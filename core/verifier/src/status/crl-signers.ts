import { type AlgorithmPolicy, defaultAlgorithmPolicy } from '../algorithms/policy.js'
import { RegistryError } from '../error.js'
import { Budget } from '../path/budget.js'
import { certificatesOf, mayIssue } from '../path/candidate-issuers.js'
import { type Trust, trustIndex } from '../path/trust.js'
import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'
import { type CrlIssuerRules, isIssuedBy, isUnderAnchor } from './crl-issuer.js'

/** Inputs for finding the signers of CRLs. */
export interface PoolContext {
  readonly trust: Trust
  /** The clock, milliseconds since the epoch. */
  readonly now: number
  readonly algorithms?: AlgorithmPolicy | undefined
  readonly candidates?: readonly Certificate[] | undefined
}

/** Cost of building one path, without its signatures. */
const PATH_STEPS = 10_000

/**
 * Finds the CRLs that are signed by an authority, within one budget per verification: trusted authorities are tried first for all
 * CRLs, so that embedded certificates, which anybody may add, cannot exhaust the budget before.
 */
export class CrlSigners {
  private readonly budget: Budget
  private readonly tried = new Set<string>()
  private readonly underAnchor = new Map<string, boolean>()

  constructor(steps: number) {
    this.budget = new Budget(steps)
  }

  /** The CRLs that are signed by a known authority. */
  signed(
    crls: readonly Crl[],
    { trust, now, algorithms = defaultAlgorithmPolicy, candidates = [] }: PoolContext,
  ): Crl[] {
    const rules = { trust, now, algorithms, candidates, budget: this.budget }
    const { known } = trustIndex(trust)
    const found = new Set<Crl>()
    for (const isTrusted of [true, false])
      for (const crl of crls) {
        if (found.has(crl)) continue
        const signers = certificatesOf(crl.issuer, trust, candidates).filter(
          (signer) => known.has(signer.fingerprint) === isTrusted && (isTrusted || mayIssue(signer)),
        )
        if (signers.some((signer) => this.isSignedBy(crl, signer, isTrusted, rules))) found.add(crl)
      }
    return crls.filter((crl) => found.has(crl))
  }

  /** Each pair is tried once. */
  private isSignedBy(crl: Crl, signer: Certificate, isTrusted: boolean, rules: CrlIssuerRules): boolean {
    const pair = `${crl.fingerprint} ${signer.fingerprint}`
    if (this.tried.has(pair) || this.budget.exhausted) return false
    this.tried.add(pair)
    try {
      return isIssuedBy(crl, signer, rules) && (isTrusted || this.isUnderAnchor(signer, crl, rules))
    } catch (error) {
      if (error instanceof RegistryError && this.budget.exhausted) return false
      throw error
    }
  }

  private isUnderAnchor(signer: Certificate, crl: Crl, rules: CrlIssuerRules): boolean {
    const { fingerprint } = signer
    const known = this.underAnchor.get(fingerprint)
    if (known !== undefined) return known
    this.budget.spend(PATH_STEPS)
    const isFound = isUnderAnchor(signer, within(crl, signer), rules.trust.anchors, rules)
    this.underAnchor.set(fingerprint, isFound)
    return isFound
  }
}

/** thisUpdate clamped to the signer's validity: a renewed certificate with the same key may be newer than the CRL. */
const within = ({ thisUpdate }: Crl, { notBefore, notAfter }: Certificate): number =>
  Math.min(Math.max(thisUpdate, notBefore), notAfter)
