import type { TimeStamp, Trust } from '../signatures/index.js'

/**
 * Whether the authority of a time stamp that still verifies was revoked after it had made it, as CRLs of the trust say: for a
 * reason that leaves what it has stamped good, but it is renewed while others can see it.
 */
export function isRevokedSince({ path }: Pick<TimeStamp, 'path'>, { crls = [] }: Trust): boolean {
  const [authority] = path.certificates
  if (authority === undefined) return false
  const { issuer, serialBytes } = authority
  return crls.some((crl) => crl.issuer.equals(issuer) && crl.entries.find(serialBytes, issuer) !== undefined)
}
