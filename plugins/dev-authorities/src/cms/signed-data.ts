import { explicit, implicit, integer, octetString, oid, sequence, set, setOf } from '../der/writer.js'
import { digestAlgorithm, type HashName } from '../hashes.js'
import { CMS } from '../oids.js'
import type { SigningKey } from '../signing-key.js'
import { certificateFields } from '../x509/certificate.js'
import { type Attribute, encodeAttribute } from './attributes.js'

/** Somebody who can sign. */
export interface Holder {
  /** DER. */
  readonly certificate: Buffer
  readonly key: SigningKey
}

/** A SignerInfo (RFC 5652 5.3), which need not be consistent: tests make wrong ones. */
export interface SignerParts {
  readonly signer: Holder
  readonly hash: HashName
  /** Absent or empty: the signature is made over the content itself. */
  readonly signedAttributes?: readonly Attribute[]
  readonly content: Uint8Array
  readonly unsignedAttributes?: (signatureValue: Buffer) => readonly Attribute[]
  /** AlgorithmIdentifier, DER; by default that of the key with `hash`. */
  readonly signatureAlgorithm?: Buffer
  /** AlgorithmIdentifier, DER. */
  readonly digestAlgorithm?: Buffer
  /** Writes attributes in the given order instead of DER order; signs that, or the DER form (RFC 5652 5.4). */
  readonly unsorted?: 'signedAsListed' | 'signedInDer' | undefined
}

export function signerInfo(parts: SignerParts): Buffer {
  const { signer, hash } = parts
  const { issuer, serial } = certificateFields(signer.certificate)
  const listed = parts.signedAttributes?.map(encodeAttribute) ?? []
  const attributes = listed.length === 0 ? undefined : parts.unsorted ? set(...listed) : setOf(listed)
  const signed = parts.unsorted === 'signedInDer' ? setOf(listed) : attributes
  const value = signer.key.sign(signed ?? parts.content, hash)
  const unsigned = parts.unsignedAttributes?.(value) ?? []
  return sequence(
    integer(1),
    sequence(issuer, integer(serial)),
    parts.digestAlgorithm ?? digestAlgorithm(hash),
    ...(attributes === undefined ? [] : [implicit(0, attributes)]),
    parts.signatureAlgorithm ?? signer.key.signatureAlgorithm(hash),
    octetString(value),
    ...(unsigned.length === 0 ? [] : [implicit(1, setOf(unsigned.map(encodeAttribute)))]),
  )
}

/** A ContentInfo with SignedData (RFC 5652 5.1). */
export function signedData(parts: {
  contentType?: string
  /** Carried inside; absent in a detached signature. */
  content?: Uint8Array | undefined
  digestAlgorithms: readonly Buffer[]
  certificates: readonly Uint8Array[]
  signerInfos: readonly Uint8Array[]
}): Buffer {
  const contentType = parts.contentType ?? CMS.data
  const content = parts.content === undefined ? [] : [explicit(0, octetString(parts.content))]
  return sequence(
    oid(CMS.signedData),
    explicit(
      0,
      sequence(
        integer(contentType === CMS.data ? 1 : 3),
        setOf(parts.digestAlgorithms),
        sequence(oid(contentType), ...content),
        ...(parts.certificates.length === 0 ? [] : [implicit(0, setOf(parts.certificates))]),
        setOf(parts.signerInfos),
      ),
    ),
  )
}
