import {
  type AlgorithmPolicy,
  defaultAlgorithmPolicy,
  defaultSignerRules,
  type RevocationDemand,
  type SignerRules,
  type SigningCertificateRule,
} from '@signed-registry/verifier'
import { port } from '../kernel/port.js'

/** What a registry demands of signatures beyond the law: which algorithms it still trusts, and who may sign. */
export interface SignaturePolicy {
  readonly algorithms: AlgorithmPolicy
  readonly signerRules: SignerRules
  /** What of a signature that does not name its signer's certificate: refuse it, refuse it where its key is known under another one, or take it. */
  readonly signingCertificate: SigningCertificateRule
  /** Whose certificate status must be known: the signer's (where not given), or that of every certificate below an anchor. */
  readonly revocation?: RevocationDemand
  /**
   * Whether CRLs of the trust may say that a signer was good where no responder may be asked. Not unless given: the
   * specification accepts no signature without a status answer. Logins and what is registered do not depend on it.
   */
  readonly statusByCrls?: boolean
  /** How far a time stamp may say that its time is off, milliseconds; one minute where not given. */
  readonly maxInaccuracy?: number
}
export const SignaturePolicy = port<SignaturePolicy>('SignaturePolicy', 'defaulted')

/** No MD5, SHA-1, DSA or RSA keys shorter than 2048 bits; signing certificates of people and their roles, which nobody can exchange unseen. */
export const defaultSignaturePolicy: SignaturePolicy = {
  algorithms: defaultAlgorithmPolicy,
  signerRules: defaultSignerRules,
  signingCertificate: 'known',
}
