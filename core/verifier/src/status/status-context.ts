import type { AlgorithmPolicy } from '../algorithms/policy.js'
import type { Trust } from '../path/trust.js'
import type { Certificate } from '../x509/certificate.js'
import type { EvidencePool } from './evidence-pool.js'

/** What statements about certificates are judged by. */
export interface StatusContext {
  readonly trust: Trust
  /** The clock, milliseconds since the epoch; nothing may come from its future. */
  readonly now: number
  readonly algorithms?: AlgorithmPolicy | undefined
  /** Certificates for path building that came along; never trusted by themselves. */
  readonly candidates?: readonly Certificate[] | undefined
  /** Answers and CRLs beside the CRLs of the trust: any of them may say that a certificate was revoked. */
  readonly evidence?: EvidencePool | undefined
  /** How far a status may be from the time that it is to prove, milliseconds, either way; five minutes where not given. */
  readonly maxGap?: number | undefined
}
