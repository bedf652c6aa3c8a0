import { digestAlgorithms, digestTrustedUntil } from '@signed-registry/verifier'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { SignaturePolicy } from '../signatures/index.js'
import { ConfiguredDigests } from './ports.js'

/** Originals have to be brought again within this time before the last digest of a document ends. */
const SOON = 365 * 24 * 60 * 60_000
/** Digests to go on with where the configured ones end, too: SHA-512, SHA3-512, SHA-384, SHA3-256. */
const STRONG = ['2.16.840.1.101.3.4.2.3', '2.16.840.1.101.3.4.2.10', '2.16.840.1.101.3.4.2.2', '2.16.840.1.101.3.4.2.8']
const TRUSTED = new Map(digestAlgorithms.map(({ oid, trusted }) => [oid, trusted]))

/** Tells until when documents are known by the digests that are fixed of them, as the policy says. Times are milliseconds. */
export class DigestEnds {
  static readonly inject = { policy: SignaturePolicy, configured: ConfiguredDigests, clock: Clock }

  constructor(private readonly use: Injected<typeof DigestEnds.inject>) {}

  /** Whether the policy ends a digest soon at all. */
  get areNear(): boolean {
    return digestAlgorithms.some(({ oid, trusted }) => trusted && this.isNear(this.of(oid)))
  }

  /** The digest that is trusted longest, and until when: `Infinity` where the policy names no day; `undefined` of none. */
  longest(oids: Iterable<string>): { readonly oid: string; readonly until: number } | undefined {
    const ends = [...oids].map((oid) => ({ oid, until: this.of(oid) }))
    return ends.toSorted((one, other) => other.until - one.until || (one.oid < other.oid ? -1 : 1))[0]
  }

  /** Whether an end is so near that originals have to be brought again. */
  isNear(until: number): boolean {
    return until < this.use.clock.now() + SOON
  }

  /** The digest to add, for `POST /api/{id}/verify?digest=`; `undefined` where none is trusted for longer. */
  further(size: number): string | undefined {
    return [...this.use.configured(size), ...STRONG].find((oid) => !this.isNear(this.of(oid)))
  }

  private of(oid: string): number {
    return TRUSTED.get(oid) === true ? digestTrustedUntil(this.use.policy.algorithms, oid, this.use.clock.now()) : 0
  }
}
