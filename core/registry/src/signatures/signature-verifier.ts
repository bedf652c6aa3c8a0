import type { ReadSignature } from '@signed-registry/verifier'
import { port } from '../kernel/port.js'
import type { SignerKey } from './ports.js'
import type { SignatureSource } from './read-signature.js'
import type { SignatureFacts } from './schema.js'

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
  readonly signerKey: SignerKey
  /** True when the signature itself says which certificate made it. */
  readonly certificateNamed: boolean
  /** Data that the CMS carried. */
  readonly content: Uint8Array | undefined
}

/** Reads and judges signatures for the use cases. */
export interface SignatureVerifier {
  /** Reads a signature and checks it against its own certificate; nothing is trusted yet. */
  read(source: SignatureSource): Promise<ReadSignature>
  /** Judges a new signature; asks the authorities for the evidence that it does not carry. */
  verify(input: SignatureInput): Promise<VerifiedSignature>
  /** As `verify`, for a signature that is read already. */
  prove(signature: ReadSignature): Promise<VerifiedSignature>
  /** Judges a stored signature again as of its registration, from its evidence alone. Rejects with what was refused. */
  verifyAgain(evidence: Evidence): Promise<void>
}
export const SignatureVerifier = port<SignatureVerifier>('SignatureVerifier', 'defaulted')
