import type { AlgorithmIdentifier } from './algorithm-identifier.js'
import type { DigestAlgorithm } from './digest.js'
import type { PssParameters } from './pss-parameters.js'
import type { SchemeFamily } from './signature-algorithms.js'

/** A signature algorithm, resolved from its identifier, parameters and key. */
export interface SignatureScheme {
  /** The algorithm that names both key type and digest, even where the signature says bare `rsaEncryption`. */
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

/** A public key, parsed and checked. */
export interface PublicKey {
  readonly kind: 'rsa' | 'rsa-pss' | 'ecdsa' | 'ed25519' | 'ed448' | 'dsa' | 'gost2015' | 'gost2004'
  /** Bits of the modulus (RSA), of the field prime (elliptic curves) or of p (DSA). */
  readonly bits: number
  readonly spki: Uint8Array
  readonly algorithm: AlgorithmIdentifier
  /** The curve of an elliptic-curve key; policies refer to its OID. */
  readonly curve?: NamedCurve
  /** The restrictions of an id-RSASSA-PSS key (RFC 4055, 3.3); `saltLength` is the minimum. */
  readonly pss?: PssParameters
  /** Whether the signature is valid for the data. The scheme must have been made for this key; never throws. */
  verify(scheme: SignatureScheme, data: Uint8Array, signature: Uint8Array): boolean
}

/** The parts of a SubjectPublicKeyInfo. */
export interface KeyParts {
  readonly spki: Uint8Array
  readonly algorithm: AlgorithmIdentifier
  /** Contents of the BIT STRING. */
  readonly bits: Uint8Array
}
