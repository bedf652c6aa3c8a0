import type { SignatureScheme } from './algorithms/key.js'
import type { Certificate } from './x509/certificate.js'
import type { Canonicalization } from './xml/canonicalization-method.js'

/** What a document must hash to. */
export interface SignedDigest {
  readonly oid: string
  readonly value: Uint8Array
  /** How a document outside of its XML signature is written before it is hashed, where that is not as it stands. */
  readonly form?: Canonicalization
}

/**
 * What a reader of a signature format gives. The signature value is right under the key of `signer`; nothing else
 * is trusted yet, neither the certificate nor the algorithms nor the evidence.
 */
export interface ReadSignature {
  readonly signType: 'cms' | 'xml'
  /** Bytes to store: CMS without content (DER); XML signature element (UTF-8). */
  readonly kept: Uint8Array
  readonly signer: Certificate
  /** Whether what was signed names the signer's certificate, so that no other one of its key can stand in its place. */
  readonly certificateNamed: boolean
  /** All embedded certificates. */
  readonly certificates: readonly Certificate[]
  readonly scheme: SignatureScheme
  /** OID of the signature algorithm. */
  readonly signAlgorithm: string
  /** What the document must hash to: CMS message-digest, XML DigestValue of the one document reference. */
  readonly digests: readonly SignedDigest[]
  /** What a time stamp that we collect is put over. */
  readonly signatureValue: Uint8Array
  /** Data that a CMS carried. */
  readonly content?: Uint8Array
  /** The time-stamp token that came along, and what it must be over. */
  readonly timeStamp?: { readonly token: Uint8Array; readonly imprinted: Uint8Array }
  /** The BasicOCSPResponse that came along, the first of several. */
  readonly ocsp?: Uint8Array
  /** Every one where several came along, which a reader takes only when it is told to. */
  readonly ocspAnswers?: readonly Uint8Array[]
  /** SHA-256 over what the signer's certificate says and the signed bytes, never over the malleable signature values of either. */
  readonly fingerprint: Uint8Array
  /** Types of unsigned CMS attributes that are kept but neither understood nor relied upon. */
  readonly ignoredAttributes?: readonly string[]
}

/** The OCSP answers of a signature as its fields. */
export function ocspOf(answers: readonly Uint8Array[]): Pick<ReadSignature, 'ocsp' | 'ocspAnswers'> {
  const [ocsp, more] = answers
  if (ocsp === undefined) return {}
  return more === undefined ? { ocsp } : { ocsp, ocspAnswers: answers }
}
