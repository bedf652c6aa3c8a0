import type { Injected } from '../kernel/service.js'
import { signatureErrors, type VerifiedSignature } from '../signatures/index.js'
import { authErrors } from './errors.js'
import { nonceIn } from './nonce.js'
import { NonceScanner } from './nonce-scanner.js'
import { NonceStore } from './nonce-store.js'
import type { Opaque } from './xml-prolog.js'

/** A document on its way in. */
interface Original {
  /** Bytes, as the sender declared them. */
  readonly size: number
  readonly stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** A nonce in whatever is wrapped around it is no larger: an XML document, a CMS with its certificates. */
const LONGEST_WRAPPED = 256 * 1024
/** What begins like XML, JSON, PEM, DER, base64 or hexadecimal; prose that mentions a nonce is a document. */
const WRAPPED = /^[\s\xef\xbb\xbf\xfe\xff]*(?:[<{["\x30]|-----|[A-Za-z0-9+/=_-]{20})/
const AT_ONCE = 500

/** Keeps signatures that log in from being made or used for anything else. */
export class NonceGuard {
  static readonly inject = { nonces: NonceStore }

  constructor(private readonly use: Injected<typeof NonceGuard.inject>) {}

  /** Refuses a signature over a nonce: carried in it, or one given out during the last day. */
  async refuseSignature({
    content,
    signedDigests,
  }: Pick<VerifiedSignature, 'content' | 'signedDigests'>): Promise<void> {
    const isOver = content !== undefined && nonceIn(content) !== undefined
    if (isOver || (await this.use.nonces.knows([...signedDigests.values()]))) throw overNonce()
  }

  /** Refuses an original that somebody is to sign whose hashes are those of a nonce. */
  async refuseDigests(digests: Iterable<Uint8Array>): Promise<void> {
    const all = [...digests]
    if (all.length > 0 && (await this.use.nonces.knows(all))) throw overNonce()
  }

  /** Passes an original on that is on its way in; refuses it at its end when it is a nonce, or XML to log in with, or one is wrapped in it. */
  watchOriginal<U extends Original>(original: U): U {
    return original.size > LONGEST_WRAPPED ? original : { ...original, stream: this.watched(original.stream) }
  }

  /** Passes data of any length on that are on their way to somebody who signs; refuses them at their end when a nonce or a hash of one is in them. */
  async *watchData(stream: Original['stream']): AsyncGenerator<Uint8Array> {
    const scanner = new NonceScanner()
    for await (const chunk of stream) {
      scanner.push(chunk)
      yield chunk
    }
    const refusal = await this.refusalOf(scanner)
    if (refusal !== undefined) throw authErrors.error('nonceToSign', { reason: refusal })
  }

  private async *watched(stream: Original['stream']): AsyncGenerator<Uint8Array> {
    const chunks: Uint8Array[] = []
    for await (const chunk of stream) {
      chunks.push(chunk)
      yield chunk
    }
    const original = Buffer.concat(chunks)
    if (nonceIn(original)) throw overNonce()
    if (!WRAPPED.test(original.toString('latin1').replaceAll('\0', ''))) return
    const scanner = new NonceScanner()
    scanner.push(original)
    if ((await this.refusalOf(scanner)) === 'nonce') throw overNonce()
  }

  private async refusalOf(
    scanner: NonceScanner,
  ): Promise<'nonce' | 'signedInfo' | Opaque | 'tooManyHashes' | undefined> {
    const { digests, isSignedInfo, opaque, tooMany } = scanner.end()
    for (let from = 0; from < digests.length; from += AT_ONCE)
      if (await this.use.nonces.knows(digests.slice(from, from + AT_ONCE))) return 'nonce'
    if (isSignedInfo) return 'signedInfo'
    if (opaque !== undefined) return opaque
    return tooMany ? 'tooManyHashes' : undefined
  }
}

const overNonce = () => signatureErrors.error('invalidSignature', { reason: 'overNonce' })
