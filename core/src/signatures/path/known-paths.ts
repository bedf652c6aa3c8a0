import { defaultAlgorithmPolicy } from '../algorithms/policy.js'
import { RecentMap } from '../recent.js'
import type { Certificate } from '../x509/certificate.js'
import type { CertificatePath, PathContext } from './build-path.js'
import type { Trust } from './trust.js'

interface KnownPath {
  readonly path: CertificatePath
  /** Every certificate of the path is valid from here... */
  readonly from: number
  /** ...to here; ms since the epoch. */
  readonly until: number
}

const MOST_PATHS = 2000
const known = new WeakMap<Trust, RecentMap<KnownPath>>()

/** The path of a certificate that was found before under the same trust and rules, when it holds at the time too. */
export function knownPath(leaf: Certificate, context: PathContext): CertificatePath | undefined {
  if (!dependsOnTimeAlone(context)) return undefined
  const found = known.get(context.trust)?.get(keyOf(leaf, context))
  return found !== undefined && found.from <= context.time && context.time <= found.until ? found.path : undefined
}

/** Keeps a path for the next time; one that was found with certificates of a signature holds without them. */
export function rememberPath(leaf: Certificate, context: PathContext, path: CertificatePath): CertificatePath {
  if (!dependsOnTimeAlone(context)) return path
  const paths = known.get(context.trust) ?? new RecentMap<KnownPath>(MOST_PATHS)
  known.set(context.trust, paths)
  const from = Math.max(...path.certificates.map(({ notBefore }) => notBefore))
  const until = Math.min(...path.certificates.map(({ notAfter }) => notAfter))
  paths.set(keyOf(leaf, context), { path, from, until })
  return path
}

/** Policy inputs, another algorithm policy and CRLs make a verdict that no later one can rely on. */
const dependsOnTimeAlone = ({ policies, algorithms, revocation, trust }: PathContext): boolean =>
  policies === undefined &&
  (algorithms === undefined || algorithms === defaultAlgorithmPolicy) &&
  (revocation === 'none' || ((revocation ?? 'whenKnown') === 'whenKnown' && (trust.crls ?? []).length === 0))

const keyOf = (leaf: Certificate, { purposes = [] }: PathContext): string => `${leaf.fingerprint} ${purposes.join()}`
