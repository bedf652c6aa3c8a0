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

/** What the path of a certificate under these rules is known by; `undefined` where it cannot be relied on later. */
export function pathKey(leaf: Certificate, context: PathContext): string | undefined {
  if (!dependsOnTimeAlone(context)) return undefined
  const { candidates = [], purposes = [], trust } = context
  let key = `${leaf.fingerprint} ${purposes.join()}`
  // Authorities that came along and are in no trust: a path that was found with them is not known without them.
  const { known: trusted } = trustIndex(trust)
  for (const candidate of candidates)
    if (mayIssue(candidate) && !trusted.has(candidate.fingerprint)) key += ` ${candidate.fingerprint}`
  return key
}

/** The path that was found before under the same trust and rules, when it holds at the time too. */
export function knownPath(key: string, context: PathContext): CertificatePath | undefined {
  const found = known.get(context.trust)?.get(key)
  return found !== undefined && found.from <= context.time && context.time <= found.until ? found.path : undefined
}

/** Keeps a path for the next time: the only one that there is. */
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

/** Policy inputs, another algorithm policy and CRLs make a verdict that no later one can rely on. */
const dependsOnTimeAlone = ({ policies, algorithms, crlUse, trust, crls = [], check }: PathContext): boolean =>
  policies === undefined &&
  check === undefined &&
  (algorithms === undefined || algorithms === defaultAlgorithmPolicy) &&
  (crlUse === 'none' || ((crlUse ?? 'whenKnown') === 'whenKnown' && (trust.crls ?? []).length + crls.length === 0))
