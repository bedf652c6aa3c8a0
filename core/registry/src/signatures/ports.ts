import type { Certificate, Trust } from '@signed-registry/verifier'
import { port } from '../kernel/port.js'

/** Why an authority gave no usable answer, as the transport saw it. */
export type AuthorityFailure =
  | 'unreachable'
  | 'timeout'
  | 'httpStatus'
  | 'redirect'
  | 'contentType'
  | 'tooLarge'
  | 'badAddress'

/** Thrown by a source whose authority gave no answer; anything else that a source throws counts as `unreachable`. */
export class AuthorityUnavailable extends Error {
  override readonly name = 'AuthorityUnavailable'

  constructor(
    readonly reason: AuthorityFailure,
    /** True when the same request may well succeed at once, on a new connection for example. */
    readonly worthRetrying: boolean,
    options?: { cause?: unknown },
  ) {
    super(`The authority gave no answer: ${reason}`, options)
  }
}

/** How one exchange is bounded. */
export interface ExchangeOptions {
  /** Aborted when the caller's own time is over; the source then gives up at once and rejects. */
  readonly signal: AbortSignal
}

/**
 * Carries time-stamp requests to one time-stamping authority (RFC 3161 section 3). Transport only: core builds the
 * request and checks every word of the answer, so a source may return whatever bytes it received.
 * It must bound the time and size of the exchange, follow no redirects, and reject with `AuthorityUnavailable`.
 */
export interface TimestampSource {
  /** Names the authority in errors, logs and statistics. */
  readonly url: string
  /** OID of the digest that the imprint is made with; SHA-256 where not given. */
  readonly digestOid?: string
  /** OID of the policy to ask for; the authority's default where not given. */
  readonly policy?: string
  /** Sends a DER `TimeStampReq` and gives the DER `TimeStampResp`. */
  timestamp(request: Uint8Array, options: ExchangeOptions): Promise<Uint8Array>
  /** Called once, when the registry stops. */
  close?(): void
}
export const TimestampSource = port<TimestampSource>('TimestampSource', 'required')

/**
 * Carries status requests to OCSP responders (RFC 6960 appendix A). Transport only, bounded as `TimestampSource` is.
 * A certificate is foreign data: `urlFor` must give no address that the operator has not allowed.
 */
export interface StatusSource {
  /** The responder to ask about this certificate, or `undefined` when there is none that we may ask. */
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
  /** How many trust anchors are in use. */
  readonly anchors: number
  /** Why the last reload failed; the set loaded before it stays in use. Absent when the last load succeeded. */
  readonly error?: string
}

/**
 * Gives the trust anchors, issuing CAs and CRLs that the operator configured, never anything out of a signature.
 * `trust()` answers at once and gives the same object until the set has changed: verdicts about issuing chains are
 * cached by that object. A set that fails to reload must leave the last good one in place.
 */
export interface TrustStore {
  trust(): Trust
  state(): TrustState
}
export const TrustStore = port<TrustStore>('TrustStore', 'required')

/** Remembers who has signed. Brought by whoever keeps signatures. */
export interface SignerKeys {
  /** Whether a signature of this certificate's key is kept under another certificate. */
  isUnderOther(signer: SignerKey): Promise<boolean>
}
export const SignerKeys = port<SignerKeys>('SignerKeys', 'contribution')

/** A key and a certificate of it. */
export interface SignerKey {
  /** SHA-256 of the SubjectPublicKeyInfo. */
  readonly key: Uint8Array
  /** SHA-256 of the certificate. */
  readonly certificate: Uint8Array
}

/** Outcome of one call to a service outside. */
export interface Call {
  readonly protocol: 'tsp' | 'ocsp'
  /** Address without credentials and query. */
  readonly url: string
  /** True only when the answer came and stood every check. */
  readonly ok: boolean
}

/** Counts calls to services outside (`GET /api/externalServicesStats`). Must never throw or delay its caller. */
export interface CallStatistics {
  record(call: Call): void
}
export const CallStatistics = port<CallStatistics>('CallStatistics', 'defaulted')
