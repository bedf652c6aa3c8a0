import type { Certificate } from '../x509/certificate.js'
import { type Trust, trustIndex } from './trust.js'

/** A certificate that may have issued another one. */
export interface Candidate {
  readonly certificate: Certificate
  /** True for a configured trust anchor, where a path ends. */
  readonly isAnchor: boolean
}

/**
 * Certificates whose subject is the issuer of this one, likeliest first: those that the key identifier hints at before
 * others, anchors before configured authorities before those that came with the signature. Hints only order them.
 */
export function candidateIssuers(certificate: Certificate, trust: Trust, given: readonly Certificate[]): Candidate[] {
  const index = trustIndex(trust)
  const name = certificate.issuer.key
  const anchors = index.anchors.get(name) ?? []
  const others = [...(index.intermediates.get(name) ?? []), ...given.filter(({ subject }) => subject.key === name)]
  const seen = new Set<string>()
  const candidates: Candidate[] = []
  const add = (issuer: Certificate, isAnchor: boolean) => {
    if (seen.has(issuer.fingerprint)) return
    seen.add(issuer.fingerprint)
    candidates.push({ certificate: issuer, isAnchor })
  }
  for (const anchor of anchors) add(anchor, true)
  for (const other of others) add(other, false)
  const hint = certificate.extensions.authorityKeyIdentifier?.keyIdentifier
  if (hint === undefined || candidates.length < 2) return candidates
  return candidates.sort((a, b) => distance(a.certificate, hint) - distance(b.certificate, hint))
}

function distance(candidate: Certificate, keyIdentifier: Uint8Array): number {
  const own = hintOf(candidate)
  if (own === undefined) return 1
  return Buffer.compare(own, keyIdentifier) === 0 ? 0 : 2
}

// A candidate whose hint cannot be read is no reason to give up the others.
function hintOf({ extensions }: Certificate): Uint8Array | undefined {
  try {
    return extensions.subjectKeyIdentifier
  } catch {
    return undefined
  }
}
