import type { AlgorithmPolicy } from '../algorithms/policy.js'
import type { Trust } from '../path/trust.js'
import type { Certificate } from '../x509/certificate.js'

/** What an OCSP answer is judged by. Times are milliseconds since the epoch. */
export interface OcspContext {
  /** Whose status is asked. */
  readonly certificate: Certificate
  /** Its issuer, out of a path that has been judged. */
  readonly issuer: Certificate
  /** Its CRLs say whether a responder's certificate was revoked. */
  readonly trust: Trust
  /** The proven time that the certificate must have been good at. */
  readonly time: number
  /** The clock; nothing may come from its future. */
  readonly now: number
  /** The nonce that was sent: the answer must bear it. */
  readonly nonce?: Uint8Array | undefined
  /** How far `thisUpdate` may be from `time`, either way; five minutes where not given. */
  readonly maxGap?: number
  readonly algorithms?: AlgorithmPolicy
}
