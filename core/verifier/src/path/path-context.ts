import type { AlgorithmPolicy } from '../algorithms/policy.js'
import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'
import type { PolicyInputs } from './policy-state.js'
import type { Trust } from './trust.js'

/** A valid path from the certificate in question to a trust anchor. */
export interface CertificatePath {
  /** Leaf first, anchor last. */
  readonly certificates: readonly Certificate[]
  /** The valid policies of the leaf (RFC 5280 section 6.1.6). */
  readonly policies: ReadonlySet<string>
  /** CRLs that prove a good status, their signers if not on the path, and the certificates with this status. */
  readonly witnesses?: {
    readonly crls: readonly Crl[]
    readonly signers: readonly Certificate[]
    readonly good: ReadonlySet<Certificate>
  }
}

/** Checks a path that is valid except for revocation, leaf first and anchor last; throws the reason against it. */
export type PathCheck = (certificates: readonly Certificate[]) => void

/** Inputs of path building. */
export interface PathContext {
  readonly trust: Trust
  /** Embedded certificates; they may be on a path but never end it. */
  readonly candidates?: readonly Certificate[] | undefined
  /** The time at which the path must be valid, ms since the epoch. */
  readonly time: number
  readonly policies?: PolicyInputs | undefined
  /** Key purposes (OIDs, or prefixes that end with a dot), one of which every certificate of the path must allow; any if absent. */
  readonly purposes?: readonly string[] | undefined
  /** The default refuses weak algorithms. */
  readonly algorithms?: AlgorithmPolicy | undefined
  /**
   * How CRLs are used: `whenKnown` (default) refuses revoked certificates, `required` also those of undetermined status, `leaf`
   * the latter for the leaf only; `none` leaves revocation to the caller.
   */
  readonly crlUse?: 'none' | 'whenKnown' | 'leaf' | 'required' | undefined
  /** CRLs in addition to those of the trust. */
  readonly crls?: readonly Crl[] | undefined
  /** A further check; if it throws, the search continues with another path. */
  readonly check?: PathCheck | undefined
  /** The validation time, at which algorithms must still be trusted and CRLs may have been issued; default `time`. */
  readonly now?: number | undefined
  /** Step limit of the search; default 100,000. */
  readonly budget?: number | undefined
}
