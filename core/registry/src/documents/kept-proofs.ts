import { genTimeOf, type ProofEnds, RegistryError } from '@signed-registry/verifier'
import type { RecordProof } from '@signed-registry/verifier/records'
import type { Injected } from '../kernel/service.js'
import { type Evidence, VerifyRecords } from '../signatures/index.js'
import { RenewedProofs } from './ports.js'
import type { SignatureProof } from './signature-record.js'
import { SignatureStore } from './signature-store.js'

/** The evidence of a stored signature, and the evidence record that keeps it good. */
export interface KeptProof {
  readonly evidence: Evidence
  /** What its record proves; `undefined` where it has none, or none that proves anything. */
  readonly record: RecordProof | undefined
  /** True where its record is about something else: what is stored was changed since it was covered. */
  readonly isChanged: boolean
}

/** Since when proofs hold, what keeps them good, and until when they do without a further renewal. */
export interface ProofOfDocument {
  /** The latest time at which one of the signatures is proved to have existed, milliseconds. */
  readonly since: number
  readonly by: 'timeStamp' | 'evidenceRecord'
  /** Digests and time stamps of the evidence record with the fewest. */
  readonly chains: number
  readonly stamps: number
  /** Milliseconds; `Infinity` where nothing ends. */
  readonly holdsUntil: number
  /** How many signatures only the word of the registry dates: what proves them had ended before it was renewed. */
  readonly ended: number
}

/** Changes in what is stored that no wrong trust or clock explains. */
const CHANGED: ReadonlySet<string> = new Set(['notCovered', 'imprint', 'hashLength', 'doubledHash', 'digestDiffers'])

/** Reads the evidence of signatures together with what others have seen of it. */
export class KeptProofs {
  static readonly inject = { signatures: SignatureStore, renewed: RenewedProofs, records: VerifyRecords }

  constructor(private readonly use: Injected<typeof KeptProofs.inject>) {}

  /** In the order of these signatures. */
  async of(stored: readonly SignatureProof[]): Promise<KeptProof[]> {
    const renewed = await this.use.renewed.of(stored.map(({ signId }) => signId))
    const proofs: KeptProof[] = []
    for (const one of stored) {
      const evidence = await this.use.signatures.evidence(one)
      const own = renewed.get(one.signId)
      const found = own && this.use.records.verify(own)
      if (found === undefined || found instanceof RegistryError)
        proofs.push({ evidence, record: undefined, isChanged: CHANGED.has(String(found?.details?.reason)) })
      else proofs.push({ evidence: { ...evidence, existedAt: found.existedAt }, record: found, isChanged: false })
    }
    return proofs
  }
}

/** What one signature proves, which ends by itself at `ends`. */
export function proofOf(
  { evidence, record }: Omit<KeptProof, 'isChanged'>,
  ends: ProofEnds,
  now: number,
): ProofOfDocument {
  const seenAt = record?.existedAt ?? now
  return {
    since: genTimeOf(evidence.timeStamp) ?? seenAt,
    by: record === undefined ? 'timeStamp' : 'evidenceRecord',
    chains: record?.chains.length ?? 0,
    stamps: record?.chains.reduce((sum, { stamps }) => sum + stamps.length, 0) ?? 0,
    holdsUntil: record?.holdsUntil ?? Math.min(ends.authority, ends.algorithms),
    ended: ends.authority < seenAt ? 1 : 0,
  }
}

/** What several prove together: no more than the weakest. */
export const weakerOf = (one: ProofOfDocument, other: ProofOfDocument): ProofOfDocument => ({
  since: Math.max(one.since, other.since),
  by: one.by === other.by ? one.by : 'timeStamp',
  chains: Math.min(one.chains, other.chains),
  stamps: Math.min(one.stamps, other.stamps),
  holdsUntil: Math.min(one.holdsUntil, other.holdsUntil),
  ended: one.ended + other.ended,
})
