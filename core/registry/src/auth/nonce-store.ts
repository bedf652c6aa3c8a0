import { Database } from '../database/database.js'
import { Groups } from '../database/groups.js'
import { bytes, flag, integer, places, table } from '../database/table.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { Site } from '../kernel/site.js'
import { digest, digestAlgorithms, signatureErrors, type VerifiedSignature } from '../signatures/index.js'
import { authErrors } from './errors.js'
import { newNonce, nonceIn } from './nonce.js'
import { NonceScanner } from './nonce-scanner.js'
import type { Opaque } from './xml-prolog.js'

const SHA_256 = '2.16.840.1.101.3.4.2.1'
const TRUSTED = digestAlgorithms.filter(({ trusted }) => trusted).map(({ oid }) => oid)
const LIFE = 5 * 60_000
/** A signature over an expired nonce is still no signature of a document. */
const REMEMBERED = 24 * 60 * 60_000

const noncesTable = table('registry_nonces', {
  digest: bytes('digest'),
  expiresAt: integer('expires_at'),
  used: flag('used'),
})

/**
 * Keeps the nonces that were given out, shared by all hosts, as their digests under every trusted algorithm: a detached
 * signature says no more about what it is over.
 */
export class NonceStore {
  static readonly inject = { database: Database, clock: Clock, site: Site }

  private readonly questions = new Groups((all: readonly (readonly Uint8Array[])[]) => this.knowsEach(all))

  constructor(private readonly use: Injected<typeof NonceStore.inject>) {}

  /** A new nonce, good for five minutes. */
  async issue(): Promise<Buffer> {
    const { bytes, line } = newNonce(new URL(this.use.site.baseUrl).host)
    // The line too: it is what is found of a nonce that is hidden in something else.
    const digests = [...TRUSTED.map((oid) => digest(oid, bytes)), digest(SHA_256, Buffer.from(line))]
    await this.insert(digests, this.use.clock.now() + LIFE, false)
    return bytes
  }

  /** Keeps the digests of an XML document around a nonce that is used up. */
  async addUsed(digests: readonly Uint8Array[]): Promise<void> {
    await this.insert(digests, this.use.clock.now(), true)
  }

  /** Uses a nonce up. Of any number of callers at the same time one gets `true`; nobody does when it has expired. */
  async useUp(nonce: Uint8Array): Promise<boolean> {
    const consumed = await this.use.database.transaction(() =>
      this.rows()
        .where(noncesTable.row({ digest: digest(SHA_256, nonce), used: false }))
        .andWhere('expires_at', '>', this.use.clock.now())
        .update(noncesTable.row({ used: true })),
    )
    return consumed === 1
  }

  /** True when one of the digests is that of a nonce which has not been forgotten. Every registration asks, those of one moment together. */
  async knows(digests: readonly Uint8Array[]): Promise<boolean> {
    if (!this.use.database.inTransaction) return this.questions.run(digests)
    return (await this.knowsEach([digests])).includes(true)
  }

  private async knowsEach(all: readonly (readonly Uint8Array[])[]): Promise<boolean[]> {
    const digests = all.flat().map((one) => Buffer.from(one.buffer, one.byteOffset, one.byteLength))
    const sql = `select digest from ${noncesTable.name} where digest in (${places(digests)})`
    const known = new Set((await this.use.database.rows(sql, digests)).map((row) => hex(noncesTable.read(row).digest)))
    return all.map((digests) => digests.some((one) => known.has(hex(one))))
  }

  /** Forgets the nonces that expired a day ago. */
  async forget(): Promise<void> {
    await this.use.database.transaction(async () => {
      await this.rows()
        .where('expires_at', '<', this.use.clock.now() - REMEMBERED)
        .delete()
    })
  }

  private async insert(digests: readonly Uint8Array[], expiresAt: number, used: boolean): Promise<void> {
    const rows = digests.map((value) => noncesTable.row({ digest: value, expiresAt, used }))
    await this.use.database.transaction(async () => {
      await this.rows().insert(rows)
    })
  }

  private rows() {
    return this.use.database.query(noncesTable.name)
  }
}

/** Forgets nonces that nobody can misuse any more. */
export class ForgetNonces {
  static readonly task = { name: 'forgetNonces', schedule: '* * * * *' }
  static readonly inject = { nonces: NonceStore }

  constructor(private readonly use: Injected<typeof ForgetNonces.inject>) {}

  run(): Promise<void> {
    return this.use.nonces.forget()
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

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
