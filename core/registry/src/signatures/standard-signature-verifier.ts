import { createHash } from 'node:crypto'
import {
  type AlgorithmPolicy,
  type Certificate,
  documentUriOf,
  namesDays,
  type ProofEnds,
  proofEnds,
  type ReadSignature,
  type SignatureContext,
  type Trust,
  verifySignature,
} from '@signed-registry/verifier'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { CollectEvidence } from './collect-evidence.js'
import { LargeReading } from './large-signatures.js'
import { TrustStore } from './ports.js'
import { isLarge, readCertificates, readSignature, type SignatureSource } from './read-signature.js'
import { verifiedSignature } from './signature-facts.js'
import { SignaturePolicy } from './signature-policy.js'
import type { Evidence, SignatureInput, SignatureVerifier, VerifiedSignature } from './signature-verifier.js'
import { Verification } from './verification-thread.js'

/** What stored evidence is verified against. */
export interface Judging {
  readonly trust: Trust
  /** Milliseconds since the epoch. */
  readonly now: number
  readonly algorithms: AlgorithmPolicy
}

const MAX_KEPT = 10_000

/**
 * Caches which stored evidence was verified, by a hash over all of its octets and only for the same trust object, which is
 * replaced when anything of it changes. Refusals are not cached, nor verdicts that depend on time: those by CRLs, and by
 * algorithms that are trusted until a date.
 */
export class ProvedEvidence {
  /** When each was verified, and when it ends. */
  private readonly ofTrust = new WeakMap<Trust, Map<string, { readonly since: number; readonly ends: ProofEnds }>>()

  constructor(private readonly maxKept = MAX_KEPT) {}

  /** Verifies evidence unless that is cached; rejects as `prove` does. */
  async once(evidence: Evidence, judging: Judging, prove: () => Promise<ProofEnds>): Promise<ProofEnds> {
    if (!isLasting(evidence, judging)) return prove()
    const { trust, now } = judging
    const proved = this.ofTrust.get(trust) ?? new Map<string, { readonly since: number; readonly ends: ProofEnds }>()
    this.ofTrust.set(trust, proved)
    const hash = hashOf(evidence)
    const known = proved.get(hash)
    // A clock that was set back may be earlier than the evidence.
    const ends = known === undefined || known.since > now ? await prove() : known.ends
    proved.delete(hash)
    proved.set(hash, { since: Math.min(known?.since ?? now, now), ends })
    for (const quietest of proved.keys()) {
      if (proved.size <= this.maxKept) break
      proved.delete(quietest)
    }
    return ends
  }
}

/** Whether the verdict can never change, because nothing depends on time but the stamped moments in the past. */
const isLasting = (evidence: Evidence, { trust, algorithms }: Judging): boolean =>
  evidence.existedAt === undefined &&
  evidence.crls.length === 0 &&
  (trust.crls ?? []).length === 0 &&
  !namesDays(algorithms) &&
  !isLarge(evidence)

function hashOf({ signType, signature, timeStamp, ocsp, certificates }: Evidence): string {
  const hash = createHash('sha256').update(
    `${signType} ${signature.length} ${timeStamp.length} ${ocsp?.length ?? 'none'} ${certificates.length} `,
  )
  for (const octets of [signature, timeStamp, ocsp, certificates]) if (octets !== undefined) hash.update(octets)
  return hash.digest('base64')
}

/** Verifies signatures by the configured trust set, with their own evidence or that of the configured authorities. */
export class StandardSignatureVerifier implements SignatureVerifier {
  static readonly inject = {
    evidence: CollectEvidence,
    large: LargeReading,
    thread: Verification,
    trustStore: TrustStore,
    clock: Clock,
    policy: SignaturePolicy,
  }

  private readonly proved = new ProvedEvidence()

  constructor(private readonly use: Injected<typeof StandardSignatureVerifier.inject>) {}

  async read(source: SignatureSource): Promise<ReadSignature> {
    return this.readAsOf(source, this.use.clock.now())
  }

  private async readAsOf(source: SignatureSource, at: number): Promise<ReadSignature> {
    if (isLarge(source)) return this.use.large.read(source)
    return readSignature(source, { algorithms: this.use.policy.algorithms, at })
  }

  async verify(input: SignatureInput): Promise<VerifiedSignature> {
    return (await this.use.thread.verify(input)) ?? this.prove(await this.read(input))
  }

  async prove(signature: ReadSignature, candidates: readonly Certificate[] = []): Promise<VerifiedSignature> {
    return verifiedSignature(signature, await this.use.evidence.collect(signature, { candidates }))
  }

  async verifyAgain(evidence: Evidence): Promise<ProofEnds> {
    const context = this.context()
    return this.proved.once(evidence, context, () => this.proveAgain(evidence, context))
  }

  private async proveAgain(evidence: Evidence, context: SignatureContext & Judging): Promise<ProofEnds> {
    const { signType, signature, timeStamp, ocsp, crls, certificates, coverage, existedAt } = evidence
    const documentUri = documentUriOf(coverage)
    const read = await this.readAsOf({ signType, signature, documentUri }, existedAt ?? context.now)
    const candidates = readCertificates(certificates)
    const proof = verifySignature(read, { timeStamp, ocsp, crls, existedAt }, { ...context, candidates, ...registered })
    return proofEnds(read, proof, { ...context, now: existedAt ?? context.now })
  }

  private context() {
    return { ...this.use.policy, trust: this.use.trustStore.trust(), now: this.use.clock.now() }
  }
}

/** Later knowledge of the signer's key does not matter for a registered signature. */
const registered = { signingCertificate: 'optional' } as const
