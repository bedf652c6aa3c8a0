import { createHash } from 'node:crypto'
import { type AlgorithmPolicy, namesDays, type Trust } from '@signed-registry/verifier'
import { isLarge } from './read-signature.js'
import type { Evidence } from './signature-verifier.js'

/** What stored evidence is judged by. */
export interface Judging {
  readonly trust: Trust
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly algorithms: AlgorithmPolicy
}

const MAX_KEPT = 10_000

/**
 * Remembers which stored evidence was proved, by a hash over every octet of it: to judge the same octets by the same rules
 * again proves the same. Forgotten with the trust that it was proved by, which is another object as soon as anything of it
 * changes. Nothing is remembered of refusals, nor where more than trust and policy has a say that does not change: CRLs,
 * whose time comes and goes, and algorithms that are trusted until a day.
 */
export class ProvedEvidence {
  /** Since when each is proved. */
  private readonly ofTrust = new WeakMap<Trust, Map<string, number>>()

  constructor(private readonly most = MAX_KEPT) {}

  /** Proves evidence unless it is known to be proved; rejects as `prove` does. */
  async once(evidence: Evidence, judging: Judging, prove: () => Promise<void>): Promise<void> {
    if (!isLasting(evidence, judging)) return prove()
    const { trust, now } = judging
    const proved = this.ofTrust.get(trust) ?? new Map<string, number>()
    this.ofTrust.set(trust, proved)
    const hash = hashOf(evidence)
    const since = proved.get(hash)
    // A clock that was put back may stand before the evidence.
    if (since === undefined || since > now) await prove()
    proved.delete(hash)
    proved.set(hash, Math.min(since ?? now, now))
    for (const quietest of proved.keys()) {
      if (proved.size <= this.most) break
      proved.delete(quietest)
    }
  }
}

/** Whether what is proved once stays proved: nothing but the clock of the stamped times has a say, which lie behind it. */
const isLasting = (evidence: Evidence, { trust, algorithms }: Judging): boolean =>
  evidence.crls.length === 0 && (trust.crls ?? []).length === 0 && !namesDays(algorithms) && !isLarge(evidence)

function hashOf({ signType, signature, timeStamp, ocsp, certificates }: Evidence): string {
  const hash = createHash('sha256').update(
    `${signType} ${signature.length} ${timeStamp.length} ${ocsp?.length ?? 'none'} ${certificates.length} `,
  )
  for (const octets of [signature, timeStamp, ocsp, certificates]) if (octets !== undefined) hash.update(octets)
  return hash.digest('base64')
}
