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
const LIFE_MS = 5 * 60_000
/** A signature over an expired nonce must still not pass as one of a document. */
const REMEMBERED_MS = 24 * 60 * 60_000

const noncesTable = table('registry_nonces', {
  digest: bytes('digest'),
  expiresAt: integer('expires_at'),
  used: flag('used'),
})

/**
 * Stores issued nonces for all hosts, as their digests by every trusted algorithm: a detached signature tells nothing else
 * about what it is over.
 */
export class NonceStore {
  static readonly inject = { database: Database, clock: Clock, site: Site }

  private readonly questions = new Groups((all: readonly (readonly Uint8Array[])[]) => this.knowsEach(all))

  constructor(private readonly use: Injected<typeof NonceStore.inject>) {}

  /** A new nonce, valid for five minutes. */
  async issue(): Promise<Buffer> {
    const { bytes, line } = newNonce(new URL(this.use.site.baseUrl).host)
    // Of the line too: the scanner finds only that of a nonce hidden in other data.
    const digests = [...TRUSTED.map((oid) => digest(oid, bytes)), digest(SHA_256, Buffer.from(line))]
    await this.insert(digests, this.use.clock.now() + LIFE_MS, false)
    return bytes
  }

  /** Stores the digests of an XML document around a consumed nonce. */
  async addUsed(digests: readonly Uint8Array[]): Promise<void> {
    await this.insert(digests, this.use.clock.now(), true)
  }

  /** Consumes a nonce. One of any number of concurrent callers gets `true`, unless it has expired. */
  async useUp(nonce: Uint8Array): Promise<boolean> {
    const consumed = await this.use.database.transaction(() =>
      this.rows()
        .where(noncesTable.row({ digest: digest(SHA_256, nonce), used: false }))
        .andWhere('expires_at', '>', this.use.clock.now())
        .update(noncesTable.row({ used: true })),
    )
    return consumed === 1
  }

  /** True when a digest is that of a nonce which is still stored. Every registration asks, so concurrent questions are grouped. */
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

  /** Deletes the nonces that expired a day ago. */
  async forget(): Promise<void> {
    await this.use.database.transaction(async () => {
      await this.rows()
        .where('expires_at', '<', this.use.clock.now() - REMEMBERED_MS)
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

/** Deletes nonces that can no longer be misused. */
export class ForgetNonces {
  static readonly task = { name: 'forgetNonces', schedule: '* * * * *' }
  static readonly inject = { nonces: NonceStore }

  constructor(private readonly use: Injected<typeof ForgetNonces.inject>) {}

  run(): Promise<void> {
    return this.use.nonces.forget()
  }
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex')

/** An original that is being uploaded. */
interface Original {
  /** Bytes, as the sender declared them. */
  readonly size: number
  readonly stream: AsyncIterable<Uint8Array> | Iterable<Uint8Array>
}

/** The largest wrapping of a nonce: an XML document, or a CMS with its certificates. */
const MAX_WRAPPED_BYTES = 256 * 1024
/** The beginning of XML, JSON, PEM, DER, base64 or hexadecimal; prose may mention a nonce. */
const WRAPPED = /^[\s\xef\xbb\xbf\xfe\xff]*(?:[<{["\x30]|-----|[A-Za-z0-9+/=_-]{20})/
const AT_ONCE = 500

/** Keeps login signatures and document signatures apart: neither can be obtained or used as the other. */
export class NonceGuard {
  static readonly inject = { nonces: NonceStore }

  constructor(private readonly use: Injected<typeof NonceGuard.inject>) {}

  /** Refuses a signature over a nonce: one that it contains, or one issued during the last day. */
  async refuseSignature({
    content,
    signedDigests,
  }: Pick<VerifiedSignature, 'content' | 'signedDigests'>): Promise<void> {
    const isOver = content !== undefined && nonceIn(content) !== undefined
    if (isOver || (await this.use.nonces.knows([...signedDigests.values()]))) throw overNonce()
  }

  /** Refuses an original to be signed whose hashes are those of a nonce. */
  async refuseDigests(digests: Iterable<Uint8Array>): Promise<void> {
    const all = [...digests]
    if (all.length > 0 && (await this.use.nonces.knows(all))) throw overNonce()
  }

  /** Passes an upload on; throws at its end if it is a nonce, XML to log in with, or a wrapping of either. */
  watchOriginal<U extends Original>(original: U): U {
    return original.size > MAX_WRAPPED_BYTES ? original : { ...original, stream: this.watched(original.stream) }
  }

  /** Passes data to be signed on, of any length; throws at their end if they contain a nonce or a hash of one. */
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
