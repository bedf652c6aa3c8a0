import type { Evidence, SignatureCoverage, SignatureFacts, SignerKey } from '../signatures/index.js'
import type { EmailNotifications } from './schema.js'

/** The fields of a signature in answers. */
export interface SignatureSummary {
  readonly signId: number
  readonly storedAt: number
  readonly facts: SignatureFacts
  readonly coverage: SignatureCoverage | undefined
  readonly emailNotifications: EmailNotifications | undefined
}

/** The evidence of a signature, as received. */
export interface SignatureProof {
  readonly signId: number
  readonly signType: Evidence['signType']
  /** The signed hashes of the document: base64 by the OID of the algorithm. */
  readonly signedDigests: Readonly<Record<string, string>>
  /** What of the document it is over, where that is not all of it. */
  readonly coverage: SignatureCoverage | undefined
  /** CMS without content (DER), or the XML signature element (UTF-8). */
  readonly signature: Uint8Array
  /** Time-stamp token (RFC 3161). */
  readonly timeStamp: Uint8Array
  /** Certificate status answer (BasicOCSPResponse of RFC 6960); `undefined` if CRLs replace it. */
  readonly ocsp: Uint8Array | undefined
  /** Concatenated SHA-256 of the CRLs that replace it, which `RevocationListStore` has. */
  readonly crls: Uint8Array | undefined
  /** Certificates of the issuing path, concatenated DER. */
  readonly certificates: Uint8Array
}

/** A signature as it is stored. */
export interface SignatureRecord extends SignatureSummary, SignatureProof {
  readonly documentId: string
  /** Identifies the signature in any encoding. */
  readonly fingerprint: Uint8Array
}

/** A signature to be stored, with its CRLs, the key that made it, and when its document was registered. */
export type NewSignature = Omit<SignatureRecord, 'signId' | 'signType' | 'crls'> & {
  readonly crls: readonly Uint8Array[]
  readonly documentStoredAt: number
  readonly signerKey: SignerKey
  /** True when the signature itself names its certificate. */
  readonly certificateNamed: boolean
}
