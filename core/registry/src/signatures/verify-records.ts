import { digest, RegistryError } from '@signed-registry/verifier'
import { type RecordProof, verifyEvidenceRecord } from '@signed-registry/verifier/records'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { TrustStore } from './ports.js'
import { SignaturePolicy } from './signature-policy.js'

/** Verifies evidence records by the configured trust set. */
export class VerifyRecords {
  static readonly inject = { trustStore: TrustStore, clock: Clock, policy: SignaturePolicy }

  constructor(private readonly use: Injected<typeof VerifyRecords.inject>) {}

  /** What a record proves of a data object, or its refusal. */
  verify({
    object,
    record,
  }: {
    readonly object: Uint8Array
    readonly record: Uint8Array
  }): RecordProof | RegistryError {
    const { trustStore, clock, policy } = this.use
    try {
      const context = { ...policy, trust: trustStore.trust(), now: clock.now() }
      return verifyEvidenceRecord(record, (oid) => digest(oid, object), context)
    } catch (error) {
      if (error instanceof RegistryError) return error
      throw error
    }
  }
}
