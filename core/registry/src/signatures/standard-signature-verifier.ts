import { type ReadSignature, type SignatureContext, verifySignature } from '@signed-registry/verifier'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { CollectEvidence } from './collect-evidence.js'
import { LargeReading } from './large-signatures.js'
import { TrustStore } from './ports.js'
import { ProvedEvidence } from './proved-evidence.js'
import { isLarge, readCertificates, readSignature, type SignatureSource } from './read-signature.js'
import { verifiedSignature } from './signature-facts.js'
import { SignaturePolicy } from './signature-policy.js'
import type { Evidence, SignatureInput, SignatureVerifier, VerifiedSignature } from './signature-verifier.js'
import { Verification } from './verification-thread.js'

/** Judges signatures by the configured trust, with evidence of their own or from the configured authorities. */
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
    if (isLarge(source)) return this.use.large.read(source)
    return readSignature(source, { algorithms: this.use.policy.algorithms, at: this.use.clock.now() })
  }

  async verify(input: SignatureInput): Promise<VerifiedSignature> {
    return (await this.use.thread.verify(input)) ?? this.prove(await this.read(input))
  }

  async prove(signature: ReadSignature): Promise<VerifiedSignature> {
    return verifiedSignature(signature, await this.use.evidence.collect(signature))
  }

  async verifyAgain(evidence: Evidence): Promise<void> {
    const context = this.context()
    await this.proved.once(evidence, context, () => this.proveAgain(evidence, context))
  }

  private async proveAgain(evidence: Evidence, context: SignatureContext): Promise<void> {
    const { signType, signature, timeStamp, ocsp, crls, certificates } = evidence
    const read = await this.read({ signType, signature })
    const candidates = readCertificates(certificates)
    verifySignature(read, { timeStamp, ocsp, crls }, { ...context, candidates, ...registered })
  }

  private context() {
    return { ...this.use.policy, trust: this.use.trustStore.trust(), now: this.use.clock.now() }
  }
}

/** What was not known of the signer's key when it was registered does not matter now. */
const registered = { signingCertificate: 'optional' } as const
