import {
  type Attribute,
  contentType,
  messageDigest,
  revocationValues,
  signatureTimeStamp,
  signingCertificateV2,
  signingTime,
} from './cms/attributes.js'
import { type Holder, signedData, signerInfo } from './cms/signed-data.js'
import { digestAlgorithm, type HashName } from './hashes.js'
import { CMS } from './oids.js'
import { pem } from './pem.js'
import type { Identity } from './people.js'
import type { SigningKey } from './signing-key.js'
import { type SignedXml, signXml, type XmlOptions } from './xml/sign-xml.js'

/** Where a subject gets the evidence that its signatures carry. */
export interface EvidenceSource {
  /** Milliseconds since the UNIX epoch. */
  now(): number
  /** TimeStampToken over data. */
  stamp(data: Uint8Array): Buffer
  /** BasicOCSPResponse about a certificate of these authorities. */
  status(certificate: Uint8Array, issuer: Buffer): Buffer
}

export interface CmsOptions {
  /** Leaves the content out; default true. */
  readonly detached?: boolean
  readonly hash?: HashName
  /** Carry a time stamp over the signature value. */
  readonly timeStamp?: boolean
  /** Carry an OCSP answer about the signer. */
  readonly ocsp?: boolean
  /** Embedded certificates; the signer's alone unless given. */
  readonly certificates?: readonly Buffer[]
  /** Changes the honest signed attributes: drop, double, replace. An empty list signs the content itself. */
  readonly signedAttributes?: (honest: readonly Attribute[]) => readonly Attribute[]
  /** Writes the signed attributes as listed; see `SignerParts`. */
  readonly unsorted?: 'signedAsListed' | 'signedInDer'
  /** AlgorithmIdentifier of the signature, DER, in place of the honest one. */
  readonly signatureAlgorithm?: Buffer
  /** Changes the honest unsigned attributes; `signatureValue` is what a time stamp is put over. */
  readonly unsignedAttributes?: (honest: readonly Attribute[], signatureValue: Buffer) => readonly Attribute[]
}

/** Somebody with a key and a certificate: a person, an employee, a system. */
export class Subject implements Holder {
  constructor(
    private readonly holder: Holder,
    /** Certificate of the CA that issued `certificate`, DER. */
    readonly issuer: Buffer,
    readonly identity: Identity,
    private readonly evidence: EvidenceSource,
  ) {}

  get certificate(): Buffer {
    return this.holder.certificate
  }

  get key(): SigningKey {
    return this.holder.key
  }

  /** Certificate in PEM. */
  get certificatePem(): string {
    return pem('CERTIFICATE', this.certificate)
  }

  /** Private key, PKCS#8 in PEM. */
  get keyPem(): string {
    return this.key.toPem()
  }

  /** A CMS with one signer over data, DER (RFC 5652, CAdES-BES attributes). */
  signCms(data: Uint8Array, options: CmsOptions = {}): Buffer {
    const hash = options.hash ?? this.key.hash
    const honest = [
      contentType(CMS.data),
      signingTime(this.evidence.now()),
      messageDigest(data, hash),
      signingCertificateV2(this.certificate),
    ]
    const signer = signerInfo({
      signer: this,
      hash,
      content: data,
      signedAttributes: options.signedAttributes?.(honest) ?? honest,
      unsorted: options.unsorted,
      ...(options.signatureAlgorithm === undefined ? {} : { signatureAlgorithm: options.signatureAlgorithm }),
      unsignedAttributes: (signatureValue) => this.unsigned(signatureValue, options),
    })
    return signedData({
      content: options.detached === false ? data : undefined,
      digestAlgorithms: [digestAlgorithm(hash)],
      certificates: options.certificates ?? [this.certificate],
      signerInfos: [signer],
    })
  }

  /** Signs an XML document with an enveloped signature in its root element. */
  signXml(document: string, options: XmlOptions = {}): SignedXml {
    const own = this.key.hash === 'shake256' ? 'sha512' : this.key.hash
    return signXml(document, this, options.hash ?? own, (imprinted) => this.evidenceFor(imprinted, options))
  }

  private evidenceFor(imprinted: Buffer, { timeStamp, ocsp }: Pick<CmsOptions, 'timeStamp' | 'ocsp'>) {
    return {
      timeStamp: timeStamp ? this.evidence.stamp(imprinted) : undefined,
      ocsp: ocsp ? this.evidence.status(this.certificate, this.issuer) : undefined,
    }
  }

  private unsigned(signatureValue: Buffer, options: CmsOptions): readonly Attribute[] {
    const { timeStamp, ocsp } = this.evidenceFor(signatureValue, options)
    const honest = [...(timeStamp ? [signatureTimeStamp(timeStamp)] : []), ...(ocsp ? [revocationValues(ocsp)] : [])]
    return options.unsignedAttributes?.(honest, signatureValue) ?? honest
  }
}
