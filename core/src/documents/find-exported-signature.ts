import type { Caller } from '../identity/index.js'
import { SignatureVerifier } from '../signatures/index.js'
import { documentErrors } from './errors.js'
import type { FindExportedSignatureRequest, FoundSignature } from './schema.js'
import { SignatureStore } from './signature-store.js'

/**
 * Finds the document of a signature that was exported before (specification, `POST /api/exported`).
 * A time stamp and a certificate status in it must be the registered ones.
 */
export class FindExportedSignature {
  static readonly inject = [SignatureStore, SignatureVerifier] as const

  constructor(
    private readonly signatures: SignatureStore,
    private readonly verifier: SignatureVerifier,
  ) {}

  async execute(_caller: Caller, request: FindExportedSignatureRequest): Promise<FoundSignature> {
    const signature = this.verifier.read(request)
    const stored = await this.signatures.findByFingerprint(signature.fingerprint)
    if (stored === undefined) throw documentErrors.error('signatureNotFound')
    const { timeStamp, ocsp } = signature
    if (timeStamp !== undefined && !Buffer.from(stored.timeStamp).equals(timeStamp.token)) {
      throw documentErrors.error('signatureNotFound', { reason: 'timeStampDiffers' })
    }
    if (ocsp !== undefined && Buffer.compare(stored.ocsp ?? Buffer.alloc(0), ocsp) !== 0) {
      throw documentErrors.error('signatureNotFound', { reason: 'ocspDiffers' })
    }
    return { documentId: stored.documentId, signId: stored.signId }
  }
}
