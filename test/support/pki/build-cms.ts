import type { DevAuthorities, Subject } from '@signed-registry/dev-authorities'
import type { OcspChange } from '#dev-authorities/authority/ocsp.js'
import type { TimeStampChange } from '#dev-authorities/authority/time-stamping.js'
import {
  type Attribute,
  contentType,
  messageDigest,
  revocationValues,
  signatureTimeStamp,
  signingCertificateV2,
  signingTime,
} from '#dev-authorities/cms/attributes.js'
import { type SignerParts, signedData, signerInfo } from '#dev-authorities/cms/signed-data.js'
import { digestAlgorithm, type HashName } from '#dev-authorities/hashes.js'
import { CMS } from '#dev-authorities/oids.js'
import { NOW } from './authorities.js'

/** One signer of a CMS, with whatever of it is to be wrong. */
export type SignerChange = Partial<SignerParts> & Pick<SignerParts, 'signer'>

/** What of a CMS may be chosen; the rest is honest. */
export interface CmsParts {
  readonly signers: readonly SignerChange[]
  /** Carried inside; absent in a detached signature. */
  readonly content?: Uint8Array
  readonly contentType?: string
  readonly certificates?: readonly Buffer[]
  /** AlgorithmIdentifiers, DER. */
  readonly digestAlgorithms?: readonly Buffer[]
}

/** A CMS over data with any number of signers, each of which may contradict itself; DER. */
export function buildCms(data: Uint8Array, parts: CmsParts): Buffer {
  const signers = parts.signers.map((change): SignerParts => {
    const hash = change.hash ?? 'sha256'
    return { hash, content: data, signedAttributes: honestAttributes(data, change.signer, hash), ...change }
  })
  return signedData({
    contentType: parts.contentType ?? CMS.data,
    content: parts.content,
    digestAlgorithms: parts.digestAlgorithms ?? [digestAlgorithm('sha256')],
    certificates: parts.certificates ?? signers.map(({ signer }) => signer.certificate),
    signerInfos: signers.map(signerInfo),
  })
}

/** The signed attributes that `Subject.signCms` writes, in this order. */
export const honestAttributes = (
  data: Uint8Array,
  signer: Pick<Subject, 'certificate'>,
  hash: HashName,
): Attribute[] => [
  contentType(CMS.data),
  signingTime(NOW),
  messageDigest(data, hash),
  signingCertificateV2(signer.certificate),
]

/** A detached CMS with its evidence inside, where the authorities may have lied. */
export const signWithEvidence = (
  authorities: DevAuthorities,
  signer: Subject,
  data: Uint8Array,
  lies: { timeStamp?: TimeStampChange | undefined; ocsp?: OcspChange | undefined } = {},
): Buffer =>
  signer.signCms(data, {
    unsignedAttributes: (_, signatureValue) => [
      signatureTimeStamp(authorities.tsa.stamp(signatureValue, lies.timeStamp)),
      revocationValues(authorities.ocsp.status(signer.certificate, signer.issuer, lies.ocsp)),
    ],
  })
