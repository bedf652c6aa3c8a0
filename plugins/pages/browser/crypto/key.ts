/** A public key in place of a `KeyObject`: what the verifier asks of one. */
export interface VerificationKey {
  /** Whether a signature over the data is right; `digest` as in `node:crypto`, null where the algorithm has its own. */
  verify(digest: string | null, data: Uint8Array, signature: Uint8Array): boolean
  /** RSA without padding (`publicDecrypt`); throws where the number is not below the modulus. */
  readonly recover?: (signature: Uint8Array) => Uint8Array
  /** Its SubjectPublicKeyInfo, where it can be exported. */
  readonly spki?: Uint8Array
}
