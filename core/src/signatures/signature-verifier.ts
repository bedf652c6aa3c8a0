import type { SignatureFacts } from './schema.js'
import type { ReadSignature } from './signature.js'

/** A signature as a request brings it. */
export interface SignatureInput {
  readonly signType?: 'cms' | 'xml'
  /** CMS: DER in base64, or PEM; XML: the signature element. */
  readonly signature: string
}

/** What is kept to prove a signature for ever; bytes as received. */
export interface Evidence {
  readonly signType: 'cms' | 'xml'
  /** CMS without content (DER), or the XML signature element (UTF-8). */
  readonly signature: Uint8Array
  /** Time-stamp token (RFC 3161). */
  readonly timeStamp: Uint8Array
  /** Certificate status answer (BasicOCSPResponse of RFC 6960); `undefined` where CRLs stand in its place. */
  readonly ocsp: Uint8Array | undefined
  /** CRLs that show the signer's certificate to be good, DER; none beside an OCSP answer. */
  readonly crls: readonly Uint8Array[]
  /** Certificates that prove the signature and that it does not carry, DER one after the other. */
  readonly certificates: Uint8Array
}

/** A signature that was judged good, with all that a registration keeps of it. */
export interface VerifiedSignature {
  readonly facts: SignatureFacts
  readonly evidence: Evidence
  /** What the document must hash to, by the OID of the algorithm. */
  readonly signedDigests: ReadonlyMap<string, Uint8Array>
  readonly fingerprint: Uint8Array
  /** Data that the CMS carried. */
  readonly content: Uint8Array | undefined
}

/** Reads and judges signatures for the use cases. */
export abstract class SignatureVerifier {
  /** Reads a signature and checks it against its own certificate; nothing is trusted yet. */
  abstract read(input: SignatureInput): ReadSignature
  /** Judges a new signature; asks the authorities for the evidence that it does not carry. */
  async verify(input: SignatureInput): Promise<VerifiedSignature> {
    return this.prove(this.read(input))
  }
  /** As `verify`, for a signature that is read already. */
  abstract prove(signature: ReadSignature): Promise<VerifiedSignature>
  /** Judges a stored signature again as of its registration, from its evidence alone. Throws what was refused. */
  abstract verifyAgain(evidence: Evidence): void
}
