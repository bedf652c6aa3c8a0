import {
  digest,
  hasEnded,
  RegistryError,
  signatureErrors,
  type TimeStamp,
  verifyTimeStamp,
  verifyTimeStampToken,
} from '@signed-registry/verifier'
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
    return orRefusal(() => verifyEvidenceRecord(record, (oid) => digest(oid, object), this.context()))
  }

  /** A time stamp over bytes, whose authority has not ended, or its refusal. */
  verifyStamp(token: Uint8Array, imprinted: Uint8Array): TimeStamp | RegistryError {
    return orRefusal(() => this.lasting(verifyTimeStamp(token, imprinted, this.context())))
  }

  /** A time stamp whose authority has not ended, or its refusal. */
  verifyToken(token: Uint8Array): TimeStamp | RegistryError {
    return orRefusal(() => this.lasting(verifyTimeStampToken(token, this.context())))
  }

  private lasting(stamp: TimeStamp): TimeStamp {
    if (hasEnded(stamp, this.use.clock.now()))
      throw signatureErrors.error('invalidTspTimeStamp', { reason: 'authorityEnded' })
    return stamp
  }

  private context() {
    const { trustStore, clock, policy } = this.use
    return { ...policy, trust: trustStore.trust(), now: clock.now() }
  }
}

function orRefusal<T>(judge: () => T): T | RegistryError {
  try {
    return judge()
  } catch (error) {
    if (error instanceof RegistryError) return error
    throw error
  }
}
