import { RegistryError } from '../../kernel/error.js'
import type { AlgorithmPolicy } from '../algorithms/policy.js'
import { timeStampRefusal } from '../evidence-refusal.js'
import { Budget, DEFAULT_STEPS } from '../path/budget.js'
import type { CertificatePath } from '../path/build-path.js'
import { crlStatus } from '../path/crl-status.js'
import { authorityKey, isSignedBy } from '../path/signed-by.js'
import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'
import type { RevocationReason } from '../x509/revoked-entry.js'

/** Stamps from before a revocation for these reasons remain good. CRLs write no reason for `unspecified`, which may be any. */
const HARMLESS = new Set<RevocationReason>(['affiliationChanged', 'superseded', 'cessationOfOperation'])

/** What the question is answered with. */
interface CompromiseRules {
  readonly crls: readonly Crl[]
  readonly now: number
  readonly algorithms: AlgorithmPolicy
}

/**
 * RFC 3161 section 4: once an authority's certificate is revoked for the sake of its key, whoever has the key may date
 * stamps back, so that none of them proves anything. Throws `invalidTspTimeStamp`.
 */
export function assertKeyNotCompromised({ certificates }: CertificatePath, rules: CompromiseRules): void {
  const [signer, issuer] = certificates
  const { crls, now } = rules
  if (crls.length === 0 || signer === undefined || issuer === undefined) return
  const budget = new Budget(DEFAULT_STEPS)
  const isAuthentic = (crl: Crl) => isIssuedBy(crl, issuer, { ...rules, budget })
  const found = crlStatus(signer, { time: now, now, crls, budget, isAuthentic })
  if (found.status !== 'revoked' || HARMLESS.has(found.reason)) return
  const { revokedAt, reason: revocationReason } = found
  throw timeStampRefusal('authorityKeyCompromised', { revokedAt, revocationReason })
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
