import type { AlgorithmPolicy } from '../algorithms/policy.js'
import { DerError } from '../der/reader.js'
import { RegistryError } from '../error.js'
import type { Budget } from '../path/budget.js'
import { buildPath } from '../path/build-path.js'
import { authorityKey, isSignedBy } from '../path/signed-by.js'
import type { Trust } from '../path/trust.js'
import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'

/** Inputs for checking the signer of a CRL. */
export interface CrlIssuerRules {
  readonly trust: Trust
  readonly now: number
  readonly algorithms: AlgorithmPolicy
  readonly candidates: readonly Certificate[]
  readonly budget: Budget
}

/** Whether an authority with the right to sign CRLs signed this one with a trusted algorithm. */
export function isIssuedBy(crl: Crl, issuer: Certificate, rules: CrlIssuerRules): boolean {
  try {
    if (!crl.issuer.equals(issuer.subject) || issuer.extensions.keyUsage?.has('cRLSign') === false) return false
    const { now: time } = rules
    return isSignedBy(crl, issuer, authorityKey(issuer, time), issuer, { ...rules, time })
  } catch (error) {
    if (error instanceof DerError || (error instanceof RegistryError && !rules.budget.exhausted)) return false
    throw error
  }
}

/** Whether a path leads from an issuer of CRLs to one of these anchors at a time (RFC 5280 section 6.3.3 (f)). */
export function isUnderAnchor(
  signer: Certificate,
  time: number,
  anchors: readonly Certificate[],
  { trust, now, algorithms, candidates }: CrlIssuerRules,
): boolean {
  const own = { anchors, intermediates: trust.intermediates }
  try {
    buildPath(signer, { trust: own, time, now, algorithms, candidates, crlUse: 'none' })
    return true
  } catch (error) {
    if (error instanceof RegistryError) return false
    throw error
  }
}
