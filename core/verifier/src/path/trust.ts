import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'

/** What an operator trusts. Immutable: replace the object to change trust. */
export interface Trust {
  /** Trust anchors, where every path ends. */
  readonly anchors: readonly Certificate[]
  /** Issuing authorities for path building; not trusted by themselves. */
  readonly intermediates: readonly Certificate[]
  /** Revocation lists of the authorities. */
  readonly crls?: readonly Crl[]
  /** OCSP responders trusted for all certificates (RFC 6960 section 4.2.2.2, first case). */
  readonly responders?: readonly Certificate[]
}

interface TrustIndex {
  /** Fingerprints of the anchors. */
  readonly anchored: ReadonlySet<string>
  /** Fingerprints of anchors and issuing authorities. */
  readonly known: ReadonlySet<string>
  readonly anchors: ReadonlyMap<string, readonly Certificate[]>
  readonly intermediates: ReadonlyMap<string, readonly Certificate[]>
}

const indexes = new WeakMap<Trust, TrustIndex>()

/** Index by subject name, built once per trust. */
export function trustIndex(trust: Trust): TrustIndex {
  const known = indexes.get(trust)
  if (known !== undefined) return known
  const index = {
    anchored: new Set(trust.anchors.map(({ fingerprint }) => fingerprint)),
    known: new Set([...trust.anchors, ...trust.intermediates].map(({ fingerprint }) => fingerprint)),
    anchors: bySubject(trust.anchors),
    intermediates: bySubject(trust.intermediates),
  }
  indexes.set(trust, index)
  return index
}

function bySubject(certificates: readonly Certificate[]): Map<string, Certificate[]> {
  const index = new Map<string, Certificate[]>()
  for (const certificate of certificates) {
    const same = index.get(certificate.subject.key)
    if (same === undefined) index.set(certificate.subject.key, [certificate])
    else same.push(certificate)
  }
  return index
}
