import type { Certificate } from '../x509/certificate.js'
import { extensionOids as oids } from '../x509/extension-oids.js'

/** Extensions whose demands path validation or its caller meets; any other that is critical refuses the certificate. */
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

/** Object identifier of a critical extension that nobody here processes, if there is one (RFC 5280 section 4.2). */
export function unprocessedCritical({ extensions }: Certificate): string | undefined {
  for (const { oid, critical } of extensions.raw.values()) if (critical && !processed.has(oid)) return oid
  return undefined
}
