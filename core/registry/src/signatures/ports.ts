import type { Certificate, Trust } from '@signed-registry/verifier'
import { port } from '../kernel/port.js'
import type { Reread } from '../kernel/reload.js'

/** Why an authority gave no usable answer, as the transport saw it. */
export type AuthorityFailure =
  | 'unreachable'
  | 'timeout'
  | 'httpStatus'
  | 'redirect'
  | 'contentType'
  | 'tooLarge'
  | 'badAddress'

/** Thrown by a source whose authority gave no answer; any other error of a source counts as `unreachable`. */
export class AuthorityUnavailable extends Error {
  override readonly name = 'AuthorityUnavailable'

  constructor(
    readonly reason: AuthorityFailure,
    /** True when the same request may succeed at once, for example on a new connection. */
    readonly worthRetrying: boolean,
    options?: { cause?: unknown },
  ) {
    super(`The authority gave no answer: ${reason}`, options)
  }
}

/** Bounds of one exchange. */
export interface ExchangeOptions {
  /** Aborted on the caller's timeout; the source must then reject at once. */
  readonly signal: AbortSignal
}

/**
 * Sends time-stamp requests to one time-stamping authority (RFC 3161 section 3). Transport only: core builds the request and
 * verifies the answer, so a source may return whatever bytes it received.
 * It must bound the time and size of the exchange, follow no redirects, and reject with `AuthorityUnavailable`.
 */
export interface TimestampSource {
  /** Names the authority in errors, logs and statistics. */
  readonly url: string
  /** OID of the digest algorithm of the imprint; SHA-256 by default. */
  readonly digestOid?: string
  /** OID of the requested policy; the authority's choice by default. */
  readonly policy?: string
  /** Sends a DER `TimeStampReq` and gives the DER `TimeStampResp`. */
  timestamp(request: Uint8Array, options: ExchangeOptions): Promise<Uint8Array>
  /** Called once, when the registry stops. */
  close?(): void
}
export const TimestampSource = port<TimestampSource>('TimestampSource', 'required')

/**
 * Sends status requests to OCSP responders (RFC 6960 appendix A). Transport only, with the duties of `TimestampSource`.
 * Certificates are untrusted: `urlFor` must only answer addresses that the operator has allowed.
 */
export interface StatusSource {
  /** The responder to ask about this certificate; `undefined` where there is none or it is not allowed. */
  urlFor(certificate: Certificate): string | undefined
  /** Sends a DER `OCSPRequest` and gives the DER `OCSPResponse`. */
  status(url: string, request: Uint8Array, options: ExchangeOptions): Promise<Uint8Array>
  /** Called once, when the registry stops. */
  close?(): void
}
export const StatusSource = port<StatusSource>('StatusSource', 'required')

/** How fresh the trust set is; for readiness and metrics. */
export interface TrustState {
  /** When the set in use was loaded, milliseconds since the epoch. */
  readonly loadedAt: number
  /** Number of trust anchors in use. */
  readonly anchors: number
  /** Why the last reload failed, while the previous set stays in use; absent when it succeeded. */
  readonly error?: string
}

/**
 * Provides the trust anchors, issuing CAs and CRLs that the operator configured, never anything from a signature. `trust()`
 * is synchronous and answers the same object until the set changes: verdicts on issuing chains are cached by it. A failed
 * reload must leave the last good set in place.
 */
export interface TrustStore {
  trust(): Trust
  state(): TrustState
  /** Reads the set anew when the registry is told to (`Reloadable`); for one that can change. */
  reread?(): Promise<Reread>
}
export const TrustStore = port<TrustStore>('TrustStore', 'required')

/** Knows the keys of earlier signers; provided by the area that stores signatures. */
export interface SignerKeys {
  /** Whether a signature by this certificate's key is stored under another certificate. */
  isUnderOther(signer: SignerKey): Promise<boolean>
}
export const SignerKeys = port<SignerKeys>('SignerKeys', 'contribution')

/** A key and one of its certificates. */
export interface SignerKey {
  /** SHA-256 of the SubjectPublicKeyInfo. */
  readonly key: Uint8Array
  /** SHA-256 of the certificate. */
  readonly certificate: Uint8Array
}

/** Outcome of one call to an external service. */
export interface Call {
  readonly protocol: 'tsp' | 'ocsp'
  /** Address without credentials and query. */
  readonly url: string
  /** True only when the answer came and passed every check. */
  readonly ok: boolean
}

/** Counts calls to external services (`GET /api/externalServicesStats`). Must never throw or delay its caller. */
export interface CallStatistics {
  record(call: Call): void
}
export const CallStatistics = port<CallStatistics>('CallStatistics', 'defaulted')
