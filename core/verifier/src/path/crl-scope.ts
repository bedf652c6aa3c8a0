import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'
import {
  type DistributionPoint,
  type DistributionPointName,
  type ReasonFlag,
  reasonFlags,
} from '../x509/distribution-points.js'
import type { GeneralName } from '../x509/general-name.js'
import type { Name } from '../x509/name.js'

/** Every reason that a certificate may be revoked for. */
export const allReasons: ReadonlySet<ReasonFlag> = new Set(reasonFlags.filter((flag) => flag !== 'unused'))

/** The distribution points of a certificate, and last the implicit one for any CRL of its issuer (RFC 5280 section 6.3.3). */
export function pointsOf({ extensions, issuer }: Certificate): DistributionPoint[] {
  const implied: DistributionPoint = {
    name: { fullName: [{ type: 'directoryName', value: issuer.toString(), name: issuer }] },
    reasons: undefined,
    crlIssuer: undefined,
  }
  return [...(extensions.crlDistributionPoints ?? []), implied]
}

/** Number of names in a distribution point: the cost of matching it, in steps. */
export function namesOf({ name, crlIssuer }: DistributionPoint): number {
  return 1 + (name !== undefined && 'fullName' in name ? name.fullName.length : 1) + (crlIssuer?.length ?? 0)
}

/**
 * The reasons that a complete CRL covers for a certificate at a distribution point (RFC 5280 section 6.3.3 (b), (d)); none if
 * the certificate is out of its scope.
 */
export function coveredReasons(crl: Crl, certificate: Certificate, point: DistributionPoint): ReadonlySet<ReasonFlag> {
  if (!isIssuedFor(crl, certificate, point) || !isInScope(crl, certificate, point)) return new Set()
  const some = crl.scope?.onlySomeReasons ?? allReasons
  const asked = point.reasons ?? allReasons
  return new Set([...some].filter((reason) => asked.has(reason) && allReasons.has(reason)))
}

/** Step (b)(1): the CRL is issued by the certificate's issuer, or is an indirect CRL of its cRLIssuer. */
function isIssuedFor({ issuer, scope }: Crl, certificate: Certificate, { crlIssuer }: DistributionPoint): boolean {
  if (crlIssuer === undefined) return issuer.equals(certificate.issuer)
  return scope?.indirectCrl === true && crlIssuer.some(({ name }) => name?.equals(issuer))
}

/** Step (b)(2). */
function isInScope({ issuer, scope }: Crl, certificate: Certificate, point: DistributionPoint): boolean {
  if (scope === undefined) return true
  const isAuthority = certificate.extensions.basicConstraints?.ca === true
  if (scope.onlyContainsAttributeCerts) return false
  if (isAuthority ? scope.onlyContainsUserCerts : scope.onlyContainsCaCerts) return false
  if (scope.name === undefined) return true
  const published = nameKeys(scope.name, issuer)
  return pointKeys(point, certificate).some((key) => published.includes(key))
}

function pointKeys({ name, crlIssuer }: DistributionPoint, certificate: Certificate): string[] {
  if (name === undefined) return (crlIssuer ?? []).map(generalNameKey)
  const base = crlIssuer?.find((issuer) => issuer.name !== undefined)?.name ?? certificate.issuer
  return nameKeys(name, base)
}

const nameKeys = (name: DistributionPointName, base: Name): string[] =>
  'fullName' in name ? name.fullName.map(generalNameKey) : [`directoryName:${[...base.keys, name.relativeKey].join()}`]

const generalNameKey = ({ type, value, name }: GeneralName): string => `${type}:${name?.key ?? value}`

/** Whether a delta CRL can be combined with a complete one: same issuer, scope and key, matching numbers (RFC 5280 section 5.2.4). */
export function continues(delta: Crl, complete: Crl): boolean {
  const { baseNumber, number } = delta
  if (baseNumber === undefined || number === undefined || complete.number === undefined) return false
  const joins = complete.number >= baseNumber && complete.number <= number
  return joins && delta.issuer.equals(complete.issuer) && sameScope(delta, complete) && sameKey(delta, complete)
}

function sameScope(a: Crl, b: Crl): boolean {
  return scopeKey(a) === scopeKey(b)
}

function scopeKey({ scope, issuer }: Crl): string {
  if (scope === undefined) return ''
  const { name, onlySomeReasons, ...flags } = scope
  return JSON.stringify([name && nameKeys(name, issuer).sort(), onlySomeReasons && [...onlySomeReasons], flags])
}

function sameKey({ keyIdentifier: a }: Crl, { keyIdentifier: b }: Crl): boolean {
  return a === undefined || b === undefined ? a === b : Buffer.compare(a, b) === 0
}
