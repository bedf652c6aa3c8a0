import {
  type ProofEnds,
  proofEnds,
  RegistryError,
  type SignatureProof,
  verifySignature,
} from '@signed-registry/verifier'
import { type SignatureRecord, SignatureStore } from '../documents/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { readCertificates, SignaturePolicy, SignatureVerifier, TrustStore } from '../signatures/index.js'
import type { Dependence } from './dependence.js'
import { isRevokedSince } from './revoked-authority.js'

/** When signatures that depend on the same end, and why. */
export interface Ending {
  readonly group: Dependence
  readonly ends: ProofEnds
  /** The first of the ends, milliseconds: 0 where their proof does not hold any more. */
  readonly endsAt: number
  /** Why it does not hold. */
  readonly failure?: string
}

/** Tells until when signatures are proved by their own time stamps: each group by one of its signatures. */
export class ProofEndings {
  static readonly inject = {
    signatures: SignatureStore,
    verifier: SignatureVerifier,
    trustStore: TrustStore,
    policy: SignaturePolicy,
    clock: Clock,
  }

  constructor(private readonly use: Injected<typeof ProofEndings.inject>) {}

  /** As of now; or where an evidence record shows that others saw them at a time (`existedAt`). */
  async of(groups: readonly Dependence[], existedAt?: number): Promise<Ending[]> {
    const endings: Ending[] = []
    for (const group of groups) endings.push(await this.ending(group, existedAt))
    return endings
  }

  /** The certificates from the authority of a time stamp to its anchor, DER; `undefined` where it does not verify. */
  async authoritiesOf(signature: SignatureRecord): Promise<Uint8Array[] | undefined> {
    const found = await this.prove(signature)
    return found instanceof RegistryError ? undefined : found.proof.timeStamp.path.certificates.map(({ der }) => der)
  }

  /** Whether a signature is good that others saw at a time, before its authority had ended. */
  async isGoodAsOf(signature: SignatureRecord, existedAt: number): Promise<boolean> {
    const found = await this.ends(signature, existedAt)
    return !(found instanceof RegistryError) && found.authority >= existedAt
  }

  private async ending(group: Dependence, existedAt: number | undefined): Promise<Ending> {
    // Documents may have been forgotten.
    const [sample] = await this.use.signatures.withEvidence(group.samples)
    const found = sample && (await this.ends(sample, existedAt))
    const ends = { authority: group.until, algorithms: Number.POSITIVE_INFINITY }
    if (found === undefined) return { group, ends, endsAt: group.until }
    if (found instanceof RegistryError)
      return { group, ends, endsAt: 0, failure: String(found.details?.reason ?? found.code) }
    return { group, ends: found, endsAt: Math.min(found.authority, found.algorithms, found.revoked) }
  }

  private async ends(
    signature: SignatureRecord,
    existedAt: number | undefined,
  ): Promise<(ProofEnds & { readonly revoked: number }) | RegistryError> {
    const never = { revoked: Number.POSITIVE_INFINITY }
    if (existedAt === undefined) {
      const found = await this.prove(signature)
      if (found instanceof RegistryError) return found
      const { trustStore, clock } = this.use
      const isRevoked = isRevokedSince(found.proof.timeStamp, trustStore.trust())
      return { ...found.ends, ...(isRevoked ? { revoked: clock.now() } : never) }
    }
    try {
      const evidence = await this.use.signatures.evidence(signature)
      return { ...(await this.use.verifier.verifyAgain({ ...evidence, existedAt })), ...never }
    } catch (error) {
      if (error instanceof RegistryError) return error
      throw error
    }
  }

  private async prove(
    signature: SignatureRecord,
  ): Promise<{ readonly proof: SignatureProof; readonly ends: ProofEnds } | RegistryError> {
    const { verifier, signatures, trustStore, policy, clock } = this.use
    try {
      const { signType, timeStamp, ocsp, crls, certificates } = await signatures.evidence(signature)
      const read = await verifier.read({ signType, signature: signature.signature })
      const context = { ...policy, trust: trustStore.trust(), now: clock.now() }
      const candidates = readCertificates(certificates)
      const proof = verifySignature(
        read,
        { timeStamp, ocsp, crls },
        { ...context, candidates, signingCertificate: 'optional' },
      )
      return { proof, ends: proofEnds(read, proof, context) }
    } catch (error) {
      if (error instanceof RegistryError) return error
      throw error
    }
  }
}
