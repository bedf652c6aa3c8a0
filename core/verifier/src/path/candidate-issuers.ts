import { DerError } from '../der/reader.js'
import type { Certificate } from '../x509/certificate.js'
import type { Name } from '../x509/name.js'
import { type Trust, trustIndex } from './trust.js'

/** A certificate that may have issued another one. */
export interface Candidate {
  readonly certificate: Certificate
  /** True for a trust anchor, where a path ends. */
  readonly isAnchor: boolean
}

/**
 * Certificates whose subject is the issuer of this one, most likely first: those with a matching key identifier before others,
 * anchors before configured intermediates before embedded certificates. Key identifiers only affect the order.
 */
export function candidateIssuers(certificate: Certificate, trust: Trust, given: readonly Certificate[]): Candidate[] {
  const anchors = trustIndex(trust).anchors.get(certificate.issuer.key) ?? []
  const candidates = certificatesOf(certificate.issuer, trust, given).map((issuer) => ({
    certificate: issuer,
    isAnchor: anchors.includes(issuer),
  }))
  const hint = certificate.extensions.authorityKeyIdentifier?.keyIdentifier
  if (hint === undefined || candidates.length < 2) return candidates
  return candidates.sort((a, b) => distance(a.certificate, hint) - distance(b.certificate, hint))
}

/** All available certificates with this subject, without duplicates: anchors, configured intermediates, embedded ones. */
export function certificatesOf(name: Name, trust: Trust, given: readonly Certificate[]): Certificate[] {
  const { anchors, intermediates } = trustIndex(trust)
  const { key } = name
  const found = new Map<string, Certificate>()
  const sources = [
    anchors.get(key) ?? [],
    intermediates.get(key) ?? [],
    given.filter(({ subject }) => subject.equals(name)),
  ]
  for (const certificate of sources.flat())
    if (!found.has(certificate.fingerprint)) found.set(certificate.fingerprint, certificate)
  return [...found.values()]
}

/** Whether a certificate is a CA according to its basic constraints. */
export function mayIssue({ extensions }: Certificate): boolean {
  try {
    return extensions.basicConstraints?.ca === true
  } catch (error) {
    if (error instanceof DerError) return false
    throw error
  }
}

function distance(candidate: Certificate, keyIdentifier: Uint8Array): number {
  const own = hintOf(candidate)
  if (own === undefined) return 1
  return Buffer.compare(own, keyIdentifier) === 0 ? 0 : 2
}

// A malformed key identifier must not prevent trying other candidates.
function hintOf({ extensions }: Certificate): Uint8Array | undefined {
  try {
    return extensions.subjectKeyIdentifier
  } catch {
    return undefined
  }
}
