import { signatureErrors, type VerifiedSignature } from '../signatures/index.js'
import { nonceIn } from './nonce.js'
import { NonceStore } from './nonce-store.js'

/** Keeps signatures that were made to log in from becoming signatures of documents. */
export class NonceGuard {
  static readonly inject = [NonceStore] as const

  constructor(private readonly nonces: NonceStore) {}

  /** Refuses a signature over a nonce: carried in it, or one given out during the last day. */
  async refuseSignature({
    content,
    signedDigests,
  }: Pick<VerifiedSignature, 'content' | 'signedDigests'>): Promise<void> {
    if (content === undefined ? await this.nonces.knows([...signedDigests.values()]) : nonceIn(content)) throw refused()
  }

  /** Refuses an original that is a nonce, or an XML document to log in with. */
  refuseOriginal(bytes: Uint8Array): void {
    if (nonceIn(bytes)) throw refused()
  }
}

const refused = () => signatureErrors.error('invalidSignature', { reason: 'overNonce' })
