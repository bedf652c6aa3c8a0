import type { Certificate } from '../x509/certificate.js'
import { unprocessedCritical } from './critical-extensions.js'
import { pathFailure } from './path-failure.js'

/**
 * Refuses a certificate whose own statements cannot be right, wherever it stands on a path: a critical extension that nobody
 * processes, an empty issuer or nameless subject, authority's rights without being an authority (RFC 5280 sections 4.1.2, 4.2.1).
 * Every extension that we know is read. Throws `certificatePathNotBuilt`, and DerError for what cannot be read.
 */
export function requireWellFormed(certificate: Certificate, time: number, isAnchor: boolean): void {
  const { extensions, subject, issuer } = certificate
  const unknown = unprocessedCritical(certificate)
  if (unknown !== undefined) throw pathFailure('unknownCriticalExtension', certificate, time, { extension: unknown })
  extensions.readAll()
  if (isAnchor) return
  const ca = extensions.basicConstraints?.ca === true
  if (issuer.isEmpty) throw pathFailure('issuerEmpty', certificate, time)
  if (subject.isEmpty && (ca || extensions.subjectAltName === undefined))
    throw pathFailure('subjectEmpty', certificate, time)
  if (certificate.serialBytes.every((octet) => octet === 0)) throw pathFailure('serialNumberZero', certificate, time)
  if (!ca && extensions.keyUsage?.has('keyCertSign')) throw pathFailure('keyUsage', certificate, time)
  if (!ca && extensions.nameConstraints !== undefined)
    throw pathFailure('nameConstraintsOutsideAuthority', certificate, time)
}
