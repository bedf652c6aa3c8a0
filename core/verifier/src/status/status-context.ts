import type { AlgorithmPolicy } from '../algorithms/policy.js'
import type { Trust } from '../path/trust.js'
import type { Certificate } from '../x509/certificate.js'
import type { EvidencePool } from './evidence-pool.js'

/** Inputs of status checking. */
export interface StatusContext {
  readonly trust: Trust
  /** The validation time, milliseconds since the epoch; evidence must not be newer. */
  readonly now: number
  readonly algorithms?: AlgorithmPolicy | undefined
  /** Embedded certificates for path building; not trusted by themselves. */
  readonly candidates?: readonly Certificate[] | undefined
  /** OCSP responses and CRLs in addition to those of the trust; any of them may show a revocation. */
  readonly evidence?: EvidencePool | undefined
  /** What may speak against what existed at an earlier time, where that is more than `evidence`. */
  readonly against?: EvidencePool | undefined
  /** Maximum gap between a status and the time it is to prove, milliseconds; default five minutes. */
  readonly maxGap?: number | undefined
}
