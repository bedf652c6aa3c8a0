import type { Certificate } from '../x509/certificate.js'
import { extensionOids, extensionOids as oids } from '../x509/extension-oids.js'
import { pathFailure } from './path-failure.js'

/**
 * Refuses a certificate that is invalid in itself, wherever it is on a path: an unknown critical extension, an empty issuer or
 * subject without alternative names, CA extensions in a certificate that is not a CA (RFC 5280 sections 4.1.2, 4.2.1).
 * All known extensions are parsed. Throws `certificatePathNotBuilt`, and DerError for what cannot be read.
 */
export function requireWellFormed(certificate: Certificate, time: number, isAnchor: boolean): void {
  const { extensions, subject, issuer } = certificate
  const unknown = unprocessedCritical(certificate)
  if (unknown !== undefined) throw pathFailure('unknownCriticalExtension', certificate, time, { extension: unknown })
  extensions.readAll()
  const qualifier = extensions.unknownCriticalQualifier
  if (qualifier !== undefined) throw pathFailure('unknownPolicyQualifier', certificate, time, { qualifier })
  if (isAnchor) return
  const ca = extensions.basicConstraints?.ca === true
  if (issuer.isEmpty) throw pathFailure('issuerEmpty', certificate, time)
  if (subject.isEmpty && (ca || extensions.raw.get(extensionOids.subjectAltName)?.critical !== true))
    throw pathFailure('subjectEmpty', certificate, time)
  if (!isConforming(certificate.serialBytes)) throw pathFailure('serialNumber', certificate, time)
  if (!ca && extensions.keyUsage?.has('keyCertSign')) throw pathFailure('keyUsage', certificate, time)
  if (!ca && extensions.nameConstraints !== undefined)
    throw pathFailure('nameConstraintsOutsideAuthority', certificate, time)
}

/** Not zero and at most 20 octets without the sign octet (RFC 5280 section 4.1.2.2). Negative ones are in use. */
const isConforming = (serial: Uint8Array): boolean =>
  serial.some((octet) => octet !== 0) && serial.length - (serial[0] === 0 ? 1 : 0) <= 20

/** Extensions processed by path validation or its callers; a certificate with another critical one is refused. */
const processed: ReadonlySet<string> = new Set([
  oids.keyUsage,
  oids.extKeyUsage,
  oids.basicConstraints,
  oids.subjectAltName,
  oids.nameConstraints,
  oids.certificatePolicies,
  oids.policyMappings,
  oids.policyConstraints,
  oids.inhibitAnyPolicy,
  oids.crlDistributionPoints,
  oids.ocspNoCheck,
  oids.keyStorage,
])

/** OID of a critical extension that is not processed here, if any (RFC 5280 section 4.2). */
function unprocessedCritical({ extensions }: Certificate): string | undefined {
  for (const { oid, critical } of extensions.raw.values()) if (critical && !processed.has(oid)) return oid
  return undefined
}
