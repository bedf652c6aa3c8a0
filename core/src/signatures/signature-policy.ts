import { token } from '../kernel/token.js'
import { type AlgorithmPolicy, defaultAlgorithmPolicy } from './algorithms/policy.js'
import { defaultSignerRules, type SignerRules } from './signer-usage.js'

/** What a registry demands of signatures beyond the law: which algorithms it still trusts, and who may sign. */
export interface SignaturePolicy {
  readonly algorithms: AlgorithmPolicy
  readonly signerRules: SignerRules
}
export const SignaturePolicy = token<SignaturePolicy>('SignaturePolicy')

/** No MD5, SHA-1, DSA or RSA keys shorter than 2048 bits; signing certificates of people and their roles. */
export const defaultSignaturePolicy: SignaturePolicy = {
  algorithms: defaultAlgorithmPolicy,
  signerRules: defaultSignerRules,
}
