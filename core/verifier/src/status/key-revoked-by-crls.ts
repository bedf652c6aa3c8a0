import { defaultAlgorithmPolicy } from '../algorithms/policy.js'
import { itemAt } from '../item-at.js'
import { Budget, DEFAULT_STEPS } from '../path/budget.js'
import { certificatesOf } from '../path/candidate-issuers.js'
import { crlStatus } from '../path/crl-status.js'
import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'
import { isKeyInDoubt, type RevocationReason } from '../x509/revoked-entry.js'
import type { Revocation } from './basic-ocsp-response.js'
import { isIssuedBy, isUnderAnchor } from './crl-issuer.js'
import type { StatusContext } from './status-context.js'

/**
 * A revocation by CRLs, as of any time up to `until`, of the first certificate of a path, leaf first and anchor last, that leaves
 * it open who has its key.
 */
export const keyRevokedByCrls = (
  path: readonly Certificate[],
  context: StatusContext,
  until: number,
): Revocation | undefined => revokedByCrls(path, context, until, isKeyInDoubt)

/** A revocation by CRLs, as of any time up to `until`, of the first certificate of a path, for reasons that count. */
export function revokedByCrls(
  path: readonly Certificate[],
  context: StatusContext,
  until: number,
  reasonCounts: (reason: RevocationReason) => boolean = () => true,
): Revocation | undefined {
  const { trust, now, algorithms = defaultAlgorithmPolicy, candidates = [], evidence } = context
  const crls = [...(trust.crls ?? []), ...(evidence?.crls ?? [])]
  const [certificate, issuer] = path
  if (crls.length === 0 || certificate === undefined || issuer === undefined) return undefined
  const anchors = [itemAt(path, path.length - 1)]
  const budget = new Budget(DEFAULT_STEPS)
  const rules = { trust, now, algorithms, candidates, budget }
  /** By the issuer, or by an issuer of CRLs alone that was under the same anchor when it signed (RFC 5280 section 6.3.3 (f)). */
  const isAuthentic = (crl: Crl) =>
    isIssuedBy(crl, issuer, rules) ||
    certificatesOf(crl.issuer, trust, candidates).some(
      (signer) => isIssuedBy(crl, signer, rules) && isUnderAnchor(signer, crl.thisUpdate, anchors, rules),
    )
  const found = crlStatus(certificate, { time: until, now, crls, budget, isAuthentic, reasonCounts })
  return found.status === 'revoked' ? { revokedAt: found.revokedAt, reason: found.reason } : undefined
}
