import type { AlgorithmPolicy } from '../algorithms/policy.js'
import type { Certificate } from '../x509/certificate.js'
import type { Crl } from '../x509/crl.js'
import type { PolicyInputs } from './policy-state.js'
import type { Trust } from './trust.js'

/** A path that holds, from the certificate in question to a trust anchor. */
export interface CertificatePath {
  /** Leaf first, anchor last. */
  readonly certificates: readonly Certificate[]
  /** Policies that are valid for the leaf (RFC 5280 section 6.1.6). */
  readonly policies: ReadonlySet<string>
  /** CRLs that show certificates of the path to be good, their signers that are not on the path, and these certificates. */
  readonly witnesses?: {
    readonly crls: readonly Crl[]
    readonly signers: readonly Certificate[]
    readonly good: ReadonlySet<Certificate>
  }
}

/** Judges a path that holds but for revocation, leaf first and anchor last; throws what speaks against it. */
export type PathCheck = (certificates: readonly Certificate[]) => void

/** What a path is looked for with. */
export interface PathContext {
  readonly trust: Trust
  /** Certificates that came with the signature; they may stand on a path, and are never where it ends. */
  readonly candidates?: readonly Certificate[] | undefined
  /** The moment the path is judged at, ms since the epoch. */
  readonly time: number
  readonly policies?: PolicyInputs | undefined
  /** Key purposes, or arcs of them that end with a dot, of which every extended key usage on the path must leave one open; not looked at when absent. */
  readonly purposes?: readonly string[] | undefined
  /** Refuses weak algorithms unless told otherwise. */
  readonly algorithms?: AlgorithmPolicy | undefined
  /**
   * What the CRLs are used for: `whenKnown` (when absent) refuses certificates that they revoke, `required` also
   * those whose status they leave open, `leaf` the certificate in question alone then; `none` leaves revocation to the caller.
   */
  readonly crlUse?: 'none' | 'whenKnown' | 'leaf' | 'required' | undefined
  /** CRLs beside those of the trust. */
  readonly crls?: readonly Crl[] | undefined
  /** What else speaks against a path, which is looked for anew then. */
  readonly check?: PathCheck | undefined
  /** The moment of judging: CRLs may be as new, and algorithms must still be trusted; `time` when absent. */
  readonly now?: number | undefined
  /** Steps that the search may take; 100,000 when absent. */
  readonly budget?: number | undefined
}
