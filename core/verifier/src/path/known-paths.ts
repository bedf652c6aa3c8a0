import { defaultAlgorithmPolicy } from '../algorithms/policy.js'
import { RecentMap } from '../recent.js'
import type { Certificate } from '../x509/certificate.js'
import { mayIssue } from './candidate-issuers.js'
import type { CertificatePath, PathContext } from './path-context.js'
import { type Trust, trustIndex } from './trust.js'

interface KnownPath {
  readonly path: CertificatePath
  /** Every certificate of the path is valid from here... */
  readonly from: number
  /** ...to here; ms since the epoch. */
  readonly until: number
}

const MAX_PATHS = 2000
const known = new WeakMap<Trust, RecentMap<string, KnownPath>>()

/** The cache key of a path; `undefined` if the result must not be reused. */
export function pathKey(leaf: Certificate, context: PathContext): string | undefined {
  if (!dependsOnTimeAlone(context)) return undefined
  const { candidates = [], purposes = [], trust } = context
  let key = `${leaf.fingerprint} ${purposes.join()}`
  // Embedded CA certificates outside the trust are part of the key, since the path may depend on them.
  const { known: trusted } = trustIndex(trust)
  for (const candidate of candidates)
    if (mayIssue(candidate) && !trusted.has(candidate.fingerprint)) key += ` ${candidate.fingerprint}`
  return key
}

/** A cached path for the same trust and rules that is valid at this time too. */
export function knownPath(key: string, context: PathContext): CertificatePath | undefined {
  const found = known.get(context.trust)?.get(key)
  return found !== undefined && found.from <= context.time && context.time <= found.until ? found.path : undefined
}

/** Caches a path without alternatives. */
export function rememberPath(key: string, context: PathContext, path: CertificatePath): CertificatePath {
  const paths = known.get(context.trust) ?? new RecentMap<string, KnownPath>(MAX_PATHS)
  known.set(context.trust, paths)
  let [from, until] = [-Infinity, Infinity]
  for (const { notBefore, notAfter } of path.certificates) {
    from = Math.max(from, notBefore)
    until = Math.min(until, notAfter)
  }
  paths.set(key, { path, from, until })
  return path
}

/** Whether the result depends on nothing but time: no policy inputs, other algorithm policy or CRLs. */
const dependsOnTimeAlone = ({ policies, algorithms, crlUse, trust, crls = [], check }: PathContext): boolean =>
  policies === undefined &&
  check === undefined &&
  (algorithms === undefined || algorithms === defaultAlgorithmPolicy) &&
  (crlUse === 'none' || ((crlUse ?? 'whenKnown') === 'whenKnown' && (trust.crls ?? []).length + crls.length === 0))
