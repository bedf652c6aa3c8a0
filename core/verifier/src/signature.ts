import type { Canonicalization } from './algorithms/canonicalization.js'
import type { SignatureScheme } from './algorithms/key.js'
import type { DocumentContent } from './document-content.js'
import type { Certificate } from './x509/certificate.js'

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
  /** Whether what was signed names the signer's certificate by a trusted digest, so that no other one of its key can stand in its place. */
  readonly certificateNamed: boolean
  /** All embedded certificates. */
  readonly certificates: readonly Certificate[]
  readonly scheme: SignatureScheme
  /** OID of the signature algorithm. */
  readonly signAlgorithm: string
  /** What the document must hash to: CMS message-digest, XML DigestValue of the one document reference. */
  readonly digests: readonly SignedDigest[]
  /** URIs of the references to content of an XML signature, where it is not over the whole document. */
  readonly references?: readonly string[]
  /** What a time stamp that we collect is put over. */
  readonly signatureValue: Uint8Array
  /** Data that a CMS carried. */
  readonly content?: Uint8Array | undefined
  /** The time stamp that came along, the first of several. */
  readonly timeStamp?: CarriedTimeStamp | undefined
  /** The BasicOCSPResponse that came along, the first of several. */
  readonly ocsp?: Uint8Array | undefined
  /** All evidence that came along; nothing of it is judged yet. */
  readonly carried: CarriedEvidence
  /** SHA-256 over what the signer's certificate says and the signed bytes, never over the malleable signature values of either. */
  readonly fingerprint: Uint8Array
  /** Types of unsigned CMS attributes that are kept but neither understood nor relied upon. */
  readonly ignoredAttributes?: readonly string[]
}

/** A TimeStampToken, and the octets that it must be over. */
export interface CarriedTimeStamp {
  readonly token: Uint8Array
  readonly imprinted: Uint8Array
}

/** An archive time stamp: over a signature and the evidence that it had then. */
export interface CarriedArchive {
  readonly token: Uint8Array
  /** When it says that it was made, milliseconds since the epoch. */
  readonly time: number | undefined
  /**
   * What it has to be over; `content` is what was signed, where the signature does not carry it. Throws `invalidTspTimeStamp`, with
   * `contentMissing` where it takes the content to tell.
   */
  read(content: DocumentContent | undefined): Archived
}

/** What an archive time stamp has to be over. */
export interface Archived {
  /** The imprint in its token. */
  readonly imprint: { readonly digestOid: string; readonly value: Uint8Array }
  /** The octets, piece after piece; one of several where specifications differ. */
  readonly imprinted: readonly (readonly Uint8Array[])[]
  /** OIDs of the digests that it rests on beside that of its own imprint. */
  readonly digestOids: readonly string[]
  /** Whether it is over a piece of evidence: a time stamp, a certificate, an answer, a CRL. */
  covers(octets: Uint8Array): boolean
}

/** Evidence as it stands in a signature. */
export interface CarriedEvidence {
  /** Over the signature value. */
  readonly timeStamps: readonly CarriedTimeStamp[]
  /** Tokens among what was signed: the signature is younger than each. */
  readonly contentTimeStamps: readonly Uint8Array[]
  /** BasicOCSPResponse, or OCSPResponse around one. */
  readonly answers: readonly Uint8Array[]
  /** CRLs, DER. */
  readonly crls: readonly Uint8Array[]
  /** Archive time stamps over the signature and the rest, where they came along. */
  readonly archives?: readonly CarriedArchive[]
  /** What cannot be read, or is not judged here. */
  readonly unused: readonly UnusedEvidence[]
}

/** A piece of evidence that a verdict does not rest on, and why. */
export interface UnusedEvidence {
  readonly kind:
    | 'timeStamp'
    | 'contentTimeStamp'
    | 'archiveTimeStamp'
    | 'evidenceRecord'
    | 'ocsp'
    | 'crl'
    | 'revocationValues'
  /** Sub-indication: what is wrong with it, or `notJudged`. */
  readonly reason: string
  /** When it says that it was made, milliseconds since the epoch, where that could be read. */
  readonly time?: number | undefined
}

/**
 * How a reader takes evidence that came along: `one` refuses a second time stamp or OCSP answer, and what is malformed;
 * `all` takes whatever can be read and names the rest, since nobody signed it.
 */
export type EvidenceTaken = 'one' | 'all'

export const NO_EVIDENCE: CarriedEvidence = {
  timeStamps: [],
  contentTimeStamps: [],
  answers: [],
  crls: [],
  unused: [],
}

/** Carried evidence as the fields of a signature; `ocsp` is the one answer that is its own. */
export function evidenceFields(
  carried: CarriedEvidence,
  ocsp: Uint8Array | undefined,
): Pick<ReadSignature, 'timeStamp' | 'ocsp' | 'carried'> {
  const { timeStamps, contentTimeStamps, answers, crls, archives, unused } = carried
  return {
    timeStamp: timeStamps[0],
    ocsp,
    carried: { timeStamps, contentTimeStamps, answers, crls, ...(archives && { archives }), unused },
  }
}

/** A signature with the archive time stamps that came along, if any did. */
export const withArchives = <S extends Pick<ReadSignature, 'carried'>>(
  signature: S,
  archives: readonly CarriedArchive[],
): S => (archives.length === 0 ? signature : { ...signature, carried: { ...signature.carried, archives } })
