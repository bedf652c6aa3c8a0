import { signatureErrors } from '../errors.js'
import type { DigestAlgorithm } from './digest.js'
import { type AlgorithmEvaluations, listedUntil } from './evaluations.js'
import type { PublicKey, SignatureScheme } from './key.js'
import type { SchemeFamily } from './signature-algorithms.js'

/**
 * Which algorithms are trusted, and until when (as in ETSI TS 119 312). Times are milliseconds since the epoch and exclusive.
 * What is not listed is trusted indefinitely; 0 means never.
 */
export interface AlgorithmPolicy {
  /** Minimum RSA modulus size in bits, at any time. */
  readonly minRsaBits: number
  /** Minimum RSA modulus size in bits from a time on: `{ 3072: Date.UTC(2029, 0, 1) }`. */
  readonly minRsaBitsFrom?: Readonly<Record<number, number>>
  /** Minimum size of a DSA key's p in bits; `Infinity` trusts none. */
  readonly minDsaBits: number
  /** Expiry of digests by OID; for those not listed, `DigestAlgorithm.trusted` decides. */
  readonly digestsTrustedUntil: Readonly<Record<string, number>>
  /** Expiry of families of signature schemes, whatever digest and key. */
  readonly schemesTrustedUntil?: Readonly<Partial<Record<SchemeFamily, number>>>
  /** Expiry of curves by OID (`PublicKey.curve`). */
  readonly curvesTrustedUntil?: Readonly<Record<string, number>>
  /**
   * Of a catalogue (`readAlgorithmCatalogue`), by the OID of a digest, a signature algorithm, a kind of key or a curve: what is
   * listed is trusted while one of its evaluations says so and the other settings do, too.
   */
  readonly evaluations?: AlgorithmEvaluations
}

/** Refuses MD5, SHA-1, DSA and RSA keys shorter than 2048 bits, at any time. */
export const defaultAlgorithmPolicy: AlgorithmPolicy = {
  minRsaBits: 2048,
  minDsaBits: Number.POSITIVE_INFINITY,
  digestsTrustedUntil: {},
}

/** What a policy trusts as if none of it had ended; what it never trusts stays so. */
export const withoutEnds = ({ minRsaBits, minDsaBits, digestsTrustedUntil }: AlgorithmPolicy): AlgorithmPolicy => ({
  minRsaBits,
  minDsaBits,
  digestsTrustedUntil: Object.fromEntries(
    Object.entries(digestsTrustedUntil).map(([oid, until]) => [oid, until === 0 ? 0 : Number.POSITIVE_INFINITY]),
  ),
})

/** Whether anything in the policy expires, so that its decisions depend on the time. */
export const namesDays = (policy: AlgorithmPolicy): boolean =>
  [
    policy.digestsTrustedUntil,
    policy.minRsaBitsFrom,
    policy.schemesTrustedUntil,
    policy.curvesTrustedUntil,
    policy.evaluations,
  ].some((days = {}) => Object.keys(days).length > 0)

/** Refuses a scheme or a key that the policy does not trust at a time (ms); throws `algorithmNotTrusted`. */
export function requireTrusted(policy: AlgorithmPolicy, scheme: SignatureScheme, key: PublicKey, at: number): void {
  requireTrustedKey(policy, key, at)
  const until = policy.schemesTrustedUntil?.[scheme.family]
  const named = { reason: 'scheme', algorithm: scheme.family, oid: scheme.oid }
  if (hasEnded(until, at)) throw ended(until, at, named)
  requireListed(policy, scheme.oid, at, { ...named, bits: key.bits })
  requireTrustedDigest(policy, scheme.digest, at)
  if (scheme.pss !== undefined) requireTrustedDigest(policy, scheme.pss.mgfDigest, at)
}

/** Refuses a key that is too short or on an expired curve; throws `algorithmNotTrusted`. */
function requireTrustedKey(policy: AlgorithmPolicy, { kind, bits, curve, algorithm }: PublicKey, at: number): void {
  const isRsa = kind === 'rsa' || kind === 'rsa-pss'
  const least = isRsa ? policy.minRsaBits : kind === 'dsa' ? policy.minDsaBits : 0
  const reason = 'keySize'
  if (!(bits >= least)) throw notTrusted({ reason, key: kind, bits, ...(Number.isFinite(least) ? { least } : {}) })
  if (isRsa && policy.minRsaBitsFrom !== undefined)
    for (const [more, from] of Object.entries(policy.minRsaBitsFrom))
      if (bits < Number(more) && hasEnded(from, at))
        throw ended(from, at, { reason, key: kind, bits, least: Number(more) })
  // Catalogues may list RSA and DSA by their keys.
  requireListed(policy, algorithm.oid, at, { reason, key: kind, bits })
  if (curve === undefined) return
  const until = policy.curvesTrustedUntil?.[curve.oid]
  const named = { reason: 'curve', algorithm: curve.name, oid: curve.oid }
  if (hasEnded(until, at)) throw ended(until, at, named)
  requireListed(policy, curve.oid, at, { ...named, bits })
}

/** Refuses what a catalogue lists and does not call good at a time. */
function requireListed(
  policy: AlgorithmPolicy,
  oid: string,
  at: number,
  facts: { readonly reason: string; readonly bits: number; readonly [name: string]: unknown },
): void {
  const until = listedUntil(policy.evaluations, oid, { bits: facts.bits, at })
  if (hasEnded(until, at)) throw ended(until, at, facts)
}

/** Until when the policy trusts a scheme and a key that it trusts at a time, milliseconds: `Infinity` where it names no day. */
export function trustedUntil(
  policy: AlgorithmPolicy,
  scheme: SignatureScheme,
  { kind, bits, curve, algorithm }: PublicKey,
  at: number,
): number {
  const isRsa = kind === 'rsa' || kind === 'rsa-pss'
  const steps = Object.entries(policy.minRsaBitsFrom ?? {})
  const digests = [scheme.digest, scheme.pss?.mgfDigest].flatMap((digest) => (digest === undefined ? [] : [digest]))
  const listed = [scheme.oid, algorithm.oid, ...(curve === undefined ? [] : [curve.oid])]
  const ends = [
    policy.schemesTrustedUntil?.[scheme.family],
    ...digests.map((digest) => digestTrustedUntil(policy, digest.oid, at)),
    curve && policy.curvesTrustedUntil?.[curve.oid],
    ...listed.map((oid) => listedUntil(policy.evaluations, oid, { bits, at })),
    ...(isRsa ? steps.map(([least, from]) => (bits < Number(least) ? from : undefined)) : []),
  ]
  return Math.min(...ends.map((end) => end ?? Number.POSITIVE_INFINITY))
}

/** Until when the policy trusts a digest that it trusts at a time, milliseconds: `Infinity` where it names no day. */
export const digestTrustedUntil = (policy: AlgorithmPolicy, oid: string, at: number): number =>
  Math.min(policy.digestsTrustedUntil[oid] ?? Number.POSITIVE_INFINITY, listedUntil(policy.evaluations, oid, { at }))

/** Refuses a broken or expired digest; throws `algorithmNotTrusted`. */
export function requireTrustedDigest(policy: AlgorithmPolicy, digest: DigestAlgorithm, at: number): void {
  if (isTrustedDigest(policy, digest, at)) return
  const until = digestTrustedUntil(policy, digest.oid, at)
  throw notTrusted({
    reason: 'digest',
    algorithm: digest.name,
    oid: digest.oid,
    at,
    ...(Number.isFinite(until) && { trustedUntil: until }),
  })
}

/** Whether the policy trusts a digest at a time (ms). */
export function isTrustedDigest(policy: AlgorithmPolicy, digest: DigestAlgorithm, at: number): boolean {
  const until = policy.digestsTrustedUntil[digest.oid]
  const isTrusted = until === undefined ? digest.trusted : at < until
  return isTrusted && at < listedUntil(policy.evaluations, digest.oid, { at })
}

const hasEnded = (until: number | undefined, at: number): until is number => until !== undefined && !(at < until)

const ended = (trustedUntil: number, at: number, facts: object) => notTrusted({ ...facts, at, trustedUntil })

const notTrusted = (facts: object) => signatureErrors.error('algorithmNotTrusted', { ...facts })
