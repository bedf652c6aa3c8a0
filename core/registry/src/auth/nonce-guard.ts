import type { Injected } from '../kernel/service.js'
import { signatureErrors, type VerifiedSignature } from '../signatures/index.js'
import { LONGEST_TO_SIGN, nonceIn } from './nonce.js'
import { NonceStore } from './nonce-store.js'

/** A document on its way in. */
interface Original {
  /** Bytes, as the sender declared them. */
  readonly size: number
  readonly stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** Keeps signatures that were made to log in from becoming signatures of documents. */
export class NonceGuard {
  static readonly inject = { nonces: NonceStore }

  constructor(private readonly use: Injected<typeof NonceGuard.inject>) {}

  /** Refuses a signature over a nonce: carried in it, or one given out during the last day. */
  async refuseSignature({
    content,
    signedDigests,
  }: Pick<VerifiedSignature, 'content' | 'signedDigests'>): Promise<void> {
    if (content === undefined ? await this.use.nonces.knows([...signedDigests.values()]) : nonceIn(content))
      throw refused()
  }

  /** Passes an original on that is on its way in; refuses it at its end when it is a nonce, or XML to log in with. */
  watchOriginal<U extends Original>(original: U): U {
    return original.size > LONGEST_TO_SIGN ? original : { ...original, stream: watched(original.stream) }
  }
}

async function* watched(stream: Original['stream']): AsyncGenerator<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of stream) {
    chunks.push(chunk)
    yield chunk
  }
  if (nonceIn(Buffer.concat(chunks))) throw refused()
}

const refused = () => signatureErrors.error('invalidSignature', { reason: 'overNonce' })
