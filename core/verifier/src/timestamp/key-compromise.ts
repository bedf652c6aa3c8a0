import type { AlgorithmPolicy } from '../algorithms/policy.js'
import { RegistryError } from '../error.js'
import { timeStampRefusal } from '../evidence-refusal.js'
import { itemAt } from '../item-at.js'
import { Budget, DEFAULT_STEPS } from '../path/budget.js'
import { buildPath } from '../path/build-path.js'
import { certificatesOf } from '../path/candidate-issuers.js'
import { crlStatus } from '../path/crl-status.js'
import type { CertificatePath } from '../path/path-context.js'
import { authorityKey, isSignedBy } from '../path/signed-by.js'
import type { Trust } from '../path/trust.js'
import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'
import type { RevocationReason } from '../x509/revoked-entry.js'

/** Stamps from before a revocation for these reasons remain good. CRLs write no reason for `unspecified`, which may be any. */
const HARMLESS = new Set<RevocationReason>(['affiliationChanged', 'superseded', 'cessationOfOperation'])

const MAX_SUBJECT = 500

/** What the question is answered with. */
interface CompromiseRules {
  /** Its CRLs are looked at. */
  readonly trust: Trust
  readonly now: number
  readonly algorithms: AlgorithmPolicy
}

/**
 * RFC 3161 section 4: once the certificate of an authority, or of any above it, is revoked for the sake of its key,
 * whoever has the key may date stamps back, so that none of them proves anything. Throws `invalidTspTimeStamp`.
 */
export function assertKeyNotCompromised({ certificates }: CertificatePath, rules: CompromiseRules): void {
  if ((rules.trust.crls ?? []).length === 0) return
  const budget = new Budget(DEFAULT_STEPS)
  const anchor = itemAt(certificates, certificates.length - 1)
  for (const [index, issuer] of certificates.slice(1).entries()) {
    const certificate = itemAt(certificates, index)
    assertUncompromised(certificate, issuer, { ...rules, anchor, budget })
  }
}

interface LinkRules extends CompromiseRules {
  /** Where the path ends. */
  readonly anchor: Certificate
  readonly budget: Budget
}

function assertUncompromised(certificate: Certificate, issuer: Certificate, rules: LinkRules): void {
  const { trust, now, budget } = rules
  const { crls = [] } = trust
  const isAuthentic = (crl: Crl) => isIssuedBy(crl, issuer, rules) || isIssuedByOther(crl, rules)
  const found = crlStatus(certificate, { time: now, now, crls, budget, isAuthentic })
  if (found.status !== 'revoked' || HARMLESS.has(found.reason)) return
  const { revokedAt, reason: revocationReason } = found
  const subject = certificate.subject.toString().slice(0, MAX_SUBJECT)
  throw timeStampRefusal('authorityKeyCompromised', { authority: subject, revokedAt, revocationReason })
}

function isIssuedBy(crl: Crl, issuer: Certificate, rules: LinkRules): boolean {
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

/** By an issuer of CRLs alone, under the same anchor when it signed (RFC 5280 section 6.3.3 (f)). */
const isIssuedByOther = (crl: Crl, rules: LinkRules): boolean =>
  certificatesOf(crl.issuer, rules.trust, []).some(
    (signer) => isIssuedBy(crl, signer, rules) && isUnderAnchor(signer, crl.thisUpdate, rules),
  )

function isUnderAnchor(signer: Certificate, time: number, { trust, anchor, now, algorithms }: LinkRules): boolean {
  const own = { anchors: [anchor], intermediates: trust.intermediates }
  try {
    buildPath(signer, { trust: own, time, now, algorithms, revocation: 'none' })
    return true
  } catch (error) {
    if (error instanceof RegistryError) return false
    throw error
  }
}
