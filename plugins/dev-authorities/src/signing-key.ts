import type { HashName } from './hashes.js'

/** A private key together with what its signatures are called in ASN.1 and XML. */
export interface SigningKey {
  readonly family: 'rsa' | 'ecdsa' | 'eddsa' | 'gost'
  /** SubjectPublicKeyInfo, DER. */
  readonly spki: Buffer
  /** The digest used where none is asked for. */
  readonly hash: HashName
  /** AlgorithmIdentifier of a signature with that digest, DER. */
  signatureAlgorithm(hash: HashName): Buffer
  /** The signature value for CMS and X.509. */
  sign(data: Uint8Array, hash: HashName): Buffer
  /** SignatureMethod of XML signatures (RFC 9231 2.3). */
  xmlMethod(hash: HashName): string
  /** The signature value for XML: ECDSA is r and s side by side there. */
  signXml(data: Uint8Array, hash: HashName): Buffer
  /** PKCS#8 in PEM. */
  toPem(): string
}
