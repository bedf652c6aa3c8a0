import type { AlgorithmIdentifier } from './algorithm-identifier.js'
import type { DigestAlgorithm } from './digest.js'
import type { PssParameters } from './pss-parameters.js'
import type { SchemeFamily } from './signature-algorithms.js'

/** What a signature algorithm, its parameters and a key together mean. */
export interface SignatureScheme {
  /** The algorithm that names both key and digest, also where the signature wrote bare `rsaEncryption`. */
  readonly oid: string
  readonly family: SchemeFamily
  readonly digest: DigestAlgorithm
  readonly pss?: PssParameters
  /** True when an ECDSA or DSA value is `r‖s` (XML Signature), not the DER SEQUENCE of CMS and X.509. */
  readonly raw?: boolean
}

/** An elliptic curve by its OID and name. */
export interface NamedCurve {
  readonly oid: string
  readonly name: string
}

/** A public key that was read and checked once. */
export interface PublicKey {
  readonly kind: 'rsa' | 'rsa-pss' | 'ecdsa' | 'ed25519' | 'ed448' | 'dsa' | 'gost2015' | 'gost2004'
  /** Bits of the modulus (RSA), of the field prime (elliptic curves) or of p (DSA). */
  readonly bits: number
  readonly spki: Uint8Array
  readonly algorithm: AlgorithmIdentifier
  /** The named curve that an elliptic key is on; by its OID the policy says until when. */
  readonly curve?: NamedCurve
  /** What an id-RSASSA-PSS key restricts its signatures to; `saltLength` is the least. */
  readonly pss?: PssParameters
  /** Whether the signature is right for the data. The scheme must have been made for this key; never throws. */
  verify(scheme: SignatureScheme, data: Uint8Array, signature: Uint8Array): boolean
}

/** What the readers of each kind of key are given. */
export interface KeyParts {
  readonly spki: Uint8Array
  readonly algorithm: AlgorithmIdentifier
  /** Contents of the BIT STRING. */
  readonly bits: Uint8Array
}
