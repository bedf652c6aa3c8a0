import type { Certificate, ProofEnds, ReadSignature } from '@signed-registry/verifier'
import { port } from '../kernel/port.js'
import type { SignerKey } from './ports.js'
import type { SignatureSource } from './read-signature.js'
import type { SignatureCoverage, SignatureFacts } from './schema.js'

/** A signature in a request. */
export interface SignatureInput {
  readonly signType?: 'cms' | 'xml'
  /** CMS: DER in base64, or PEM; XML: the signature element. */
  readonly signature: string
}

/** What is stored to prove a signature for ever; bytes as received. */
export interface Evidence {
  readonly signType: 'cms' | 'xml'
  /** CMS without content (DER), or the XML signature element (UTF-8). */
  readonly signature: Uint8Array
  /** Time-stamp token (RFC 3161). */
  readonly timeStamp: Uint8Array
  /** Certificate status answer (BasicOCSPResponse of RFC 6960); `undefined` where there are CRLs instead. */
  readonly ocsp: Uint8Array | undefined
  /** CRLs that prove the signer's certificate status, DER; empty if there is an OCSP answer. */
  readonly crls: readonly Uint8Array[]
  /** Certificates that the proof needs and the signature does not carry, as concatenated DER. */
  readonly certificates: Uint8Array
  /** What of the document it is over, where that is not all of it. */
  readonly coverage?: SignatureCoverage | undefined
  /** A time, milliseconds, at which others are proved to have seen all of this: by an evidence record. */
  readonly existedAt?: number | undefined
}

/** A valid signature with everything that a registration stores of it. */
export interface VerifiedSignature {
  readonly facts: SignatureFacts
  readonly evidence: Evidence
  /** Digests that the document must have, by OID of the algorithm; none where it is over ranges of the document. */
  readonly signedDigests: ReadonlyMap<string, Uint8Array>
  readonly fingerprint: Uint8Array
  readonly signerKey: SignerKey
  /** True when the signature itself names the signer's certificate. */
  readonly certificateNamed: boolean
  /** Content of the CMS. */
  readonly content: Uint8Array | undefined
}

/** Parses and verifies signatures for operations. */
export interface SignatureVerifier {
  /** Parses a signature and verifies it with its own certificate; nothing is trusted yet. */
  read(source: SignatureSource): Promise<ReadSignature>
  /** Verifies a new signature; asks authorities for the evidence that it lacks. */
  verify(input: SignatureInput): Promise<VerifiedSignature>
  /** As `verify`, for a parsed signature; `beside` are certificates that paths may be built with. */
  prove(signature: ReadSignature, beside?: readonly Certificate[]): Promise<VerifiedSignature>
  /**
   * Verifies a stored signature as of its registration, by its stored evidence only; answers when that ends by itself. Rejects with
   * the refusal.
   */
  verifyAgain(evidence: Evidence): Promise<ProofEnds>
}
export const SignatureVerifier = port<SignatureVerifier>('SignatureVerifier', 'defaulted')
