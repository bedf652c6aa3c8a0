import {
  type AlgorithmPolicy,
  defaultAlgorithmPolicy,
  defaultSignerRules,
  type RevocationDemand,
  type SignerRules,
  type SigningCertificateRule,
} from '@signed-registry/verifier'
import { port } from '../kernel/port.js'

/** What a registry demands of signatures beyond the law: trusted algorithms and accepted signers. */
export interface SignaturePolicy {
  readonly algorithms: AlgorithmPolicy
  readonly signerRules: SignerRules
  /** Signatures that do not name the signer's certificate: refuse, refuse if the key is known under another one, or accept. */
  readonly signingCertificate: SigningCertificateRule
  /** Whose certificate status is required: the signer's (default), or that of every certificate below an anchor. */
  readonly revocation?: RevocationDemand
  /**
   * Whether CRLs of the trust set may prove a signer's status where no responder is available; off by default, since the
   * specification demands a status answer. Logins and registered signatures do not depend on it.
   */
  readonly statusByCrls?: boolean
  /** The largest inaccuracy that a time stamp may declare, milliseconds; one minute by default. */
  readonly maxInaccuracy?: number
}
export const SignaturePolicy = port<SignaturePolicy>('SignaturePolicy', 'defaulted')

/** No MD5, SHA-1, DSA or RSA keys below 2048 bits; signing certificates of people and roles, protected against substitution. */
export const defaultSignaturePolicy: SignaturePolicy = {
  algorithms: defaultAlgorithmPolicy,
  signerRules: defaultSignerRules,
  signingCertificate: 'known',
}
