import type { AlgorithmPolicy } from '../algorithms/policy.js'
import { RegistryError } from '../error.js'
import { timeStampRefusal } from '../evidence-refusal.js'
import { itemAt } from '../item-at.js'
import { Budget, DEFAULT_STEPS } from '../path/budget.js'
import { crlStatus } from '../path/crl-status.js'
import type { CertificatePath } from '../path/path-context.js'
import { authorityKey, isSignedBy } from '../path/signed-by.js'
import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'
import type { RevocationReason } from '../x509/revoked-entry.js'

/** Stamps from before a revocation for these reasons remain good. CRLs write no reason for `unspecified`, which may be any. */
const HARMLESS = new Set<RevocationReason>(['affiliationChanged', 'superseded', 'cessationOfOperation'])

const MAX_SUBJECT = 500

/** What the question is answered with. */
interface CompromiseRules {
  readonly crls: readonly Crl[]
  readonly now: number
  readonly algorithms: AlgorithmPolicy
}

/**
 * RFC 3161 section 4: once the certificate of an authority, or of any above it, is revoked for the sake of its key,
 * whoever has the key may date stamps back, so that none of them proves anything. Throws `invalidTspTimeStamp`.
 */
export function assertKeyNotCompromised({ certificates }: CertificatePath, rules: CompromiseRules): void {
  if (rules.crls.length === 0) return
  const budget = new Budget(DEFAULT_STEPS)
  for (const [index, issuer] of certificates.slice(1).entries()) {
    const certificate = itemAt(certificates, index)
    assertUncompromised(certificate, issuer, rules, budget)
  }
}

function assertUncompromised(
  certificate: Certificate,
  issuer: Certificate,
  rules: CompromiseRules,
  budget: Budget,
): void {
  const { crls, now } = rules
  const isAuthentic = (crl: Crl) => isIssuedBy(crl, issuer, { ...rules, budget })
  const found = crlStatus(certificate, { time: now, now, crls, budget, isAuthentic })
  if (found.status !== 'revoked' || HARMLESS.has(found.reason)) return
  const { revokedAt, reason: revocationReason } = found
  const subject = certificate.subject.toString().slice(0, MAX_SUBJECT)
  throw timeStampRefusal('authorityKeyCompromised', { authority: subject, revokedAt, revocationReason })
}

function isIssuedBy(crl: Crl, issuer: Certificate, rules: CompromiseRules & { readonly budget: Budget }): boolean {
  if (!crl.issuer.equals(issuer.subject) || issuer.extensions.keyUsage?.has('cRLSign') === false) return false
  const { now: time } = rules
  try {
    return isSignedBy(crl, issuer, authorityKey(issuer, time), issuer, { ...rules, time })
  } catch (error) {
    // A CRL whose algorithm is not trusted says nothing.
    if (error instanceof RegistryError && !rules.budget.exhausted) return false
    throw error
  }
}
