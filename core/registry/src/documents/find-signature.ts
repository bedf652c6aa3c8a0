import type { Injected } from '../kernel/service.js'
import type { ReadSignature } from '../signatures/index.js'
import { documentErrors } from './errors.js'
import { SignatureStore } from './signature-store.js'

/** Where a signature is registered. */
export interface RegisteredSignature {
  readonly documentId: string
  readonly signId: number
}

/** Finds registered signatures by what they are, whatever their encoding. */
export class FindSignature {
  static readonly inject = { signatures: SignatureStore }

  constructor(private readonly use: Injected<typeof FindSignature.inject>) {}

  /**
   * Where a signature is registered that was exported before; `undefined` where it is not. A time stamp and a certificate
   * status in it must be the registered ones: `signatureNotFound` otherwise.
   */
  async exported(signature: ReadSignature): Promise<RegisteredSignature | undefined> {
    const stored = await this.use.signatures.findByFingerprint(signature.fingerprint)
    if (stored === undefined) return undefined
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
