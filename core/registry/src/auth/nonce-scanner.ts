import { createHash } from 'node:crypto'
import {
  decodeHash,
  decodeShort,
  type Findings,
  HEX,
  hashesIn,
  lettersOf,
  NonceMarks,
  OF_URLS,
  OVERLAP,
  SHORTEST_HASH,
  withoutLettersOfUrls,
} from './nonce-marks.js'
import { CharacterReferences, JsonEscapes, WithoutComments, WithoutOctetHeads } from './text-filters.js'
import { WideText } from './wide-text.js'
import { type Opaque, XmlProlog } from './xml-prolog.js'

/** What was found in data to be signed. */
export interface Suspects {
  /** SHA-256 of lines that look like those of nonces, and values of the sizes of nonces' hashes. */
  readonly digests: readonly Buffer[]
  /** The data are the input of a signature computation (SignedInfo), not a document. */
  readonly isSignedInfo: boolean
  /** Why a parser may read XML in the data differently from this scan. */
  readonly opaque: Opaque | undefined
  /** There were more digests than are looked up. */
  readonly tooMany: boolean
}

/** The largest data that may be a DigestInfo or signed attributes. */
const SMALL = 64 * 1024
/** Characters of a hash in hexadecimal, with some white space. */
const LONGEST_HASH = 160
/** A value of at least so many letters is decoded and scanned like data. */
const LONG = 192
const MAX_DIGESTS = 20_000
const SIGNED_INFO = /(?:^|")\s*<(?:[\w.-]{1,64}:)?SignedInfo[\s>]/

/**
 * Scans data of any length for nonces and their hashes: as they are, in UTF-16, hexadecimal and base64, with escapes of JSON
 * and XML, in segments of BER, and one level deeper in decoded base64 and hexadecimal values. Memory is bounded to a few KiB.
 */
export class NonceScanner {
  private readonly digests = new Map<string, Buffer>()
  private isSignedInfo = false
  private opaque: Opaque | undefined
  private tooMany = false
  private readonly layer = new Layer(
    {
      line: (line) => this.add(createHash('sha256').update(line).digest()),
      hash: (bytes) => this.add(bytes),
      signedInfo: () => {
        this.isSignedInfo = true
      },
      opaque: (why) => {
        this.opaque ??= why
      },
      tooMany: () => {
        this.tooMany = true
      },
    },
    true,
  )

  push(chunk: Uint8Array): void {
    this.layer.push(chunk)
  }

  /** What was found in everything that was pushed. */
  end(): Suspects {
    this.layer.end()
    const { isSignedInfo, opaque, tooMany } = this
    return { digests: [...this.digests.values()], isSignedInfo, opaque, tooMany }
  }

  private add(bytes: Buffer): void {
    if (this.digests.size >= MAX_DIGESTS) this.tooMany = true
    else this.digests.set(bytes.toString('latin1'), Buffer.from(bytes))
  }
}

/** Scans the data themselves, or a decoded value. */
class Layer {
  private readonly json = new JsonEscapes()
  private readonly references = new CharacterReferences()
  private readonly comments = new WithoutComments(() => this.json.isJson)
  private readonly heads = new WithoutOctetHeads()
  private readonly marks: NonceMarks
  /** Scanners of filtered data; `same` counts the latest letters that equal the unfiltered ones. */
  private readonly others: readonly { marks: NonceMarks; same: number }[]
  private readonly prolog: XmlProlog
  private readonly wide: WideText
  /** Scans data in UTF-16 once more, as a parser reads them. */
  private narrow: Layer | undefined
  private readonly strings: Strings | undefined
  private readonly texts: Texts | undefined
  private size = 0
  private small: Uint8Array[] = []
  private before = ''

  constructor(
    private readonly findings: Findings,
    private readonly outer: boolean,
    isNarrow = false,
  ) {
    this.prolog = new XmlProlog(
      findings.opaque,
      () => this.json.isJson,
      () => isNarrow || this.wide.isWide,
    )
    this.marks = new NonceMarks(findings.line, findings.tooMany)
    this.wide = new WideText(() => findings.opaque('encoding'))
    this.others = [1, 2].map(() => ({ marks: new NonceMarks(findings.line, findings.tooMany), same: OVERLAP }))
    if (outer) this.strings = new Strings(findings, () => this.json.isJson)
    if (outer) this.texts = new Texts(findings)
  }

  push(chunk: Uint8Array): void {
    const narrowed = this.wide.push(chunk)
    if (narrowed !== undefined) {
      this.narrow ??= new Layer(this.findings, this.outer, true)
      this.narrow.push(narrowed)
    }
    this.size += chunk.length
    if (this.size <= SMALL) this.small.push(chunk.slice())
    else this.small = []
    const unescaped = this.json.push(chunk)
    const text = this.references.push(unescaped)
    const uncommented = this.comments.push(text)
    const letters = this.marks.push(text)
    for (const [at, bytes] of [uncommented, this.heads.push(chunk)].entries())
      this.pushOther(at, bytes, bytes === text ? letters : undefined)
    this.strings?.push(unescaped)
    this.texts?.push(uncommented)
    const characters = latin1(text)
    this.prolog.push(characters)
    const window = this.before + characters
    if (window.includes('SignedInfo') && SIGNED_INFO.test(window)) this.findings.signedInfo()
    this.before = window.slice(-LONG)
  }

  /** Does not scan the same letters twice. */
  private pushOther(at: number, bytes: Uint8Array, same: number | undefined): void {
    const other = this.others[at]
    if (other === undefined) return
    if (same !== undefined && other.same >= OVERLAP) other.marks.follow(this.marks)
    else other.marks.push(bytes)
    other.same = same === undefined ? 0 : other.same + same
  }

  end(): void {
    this.narrow?.end()
    const { hasZeros, hasEscapedZeros } = this.json
    // A string with zero octets may be XML in UTF-16, whose letters are misread byte by byte.
    if (hasEscapedZeros || (hasZeros && this.outer && !this.wide.isWide)) this.findings.opaque('encoding')
    const small = Buffer.concat(this.small)
    this.strings?.end()
    this.texts?.end()
    if (this.strings === undefined && small.length <= LONGEST_HASH) decodeHash(lettersOf(small), this.findings)
    hashesIn(small, this.findings)
  }
}

const NOTHING: Buffer = Buffer.alloc(0)
const QUOTE = 0x22
/** The head of PEM or of a data URI before base64; decoders that do not know it get no nonce. */
const HEAD = /^(?:-{5}BEGIN[A-Z\d]{0,64}-{5}|data[\w+/-]{0,120},)/i
/**
 * The strings of JSON, or any other text as one: each is decoded as base64 of both alphabets and, if possible, hexadecimal.
 * Only a quote ends a string, since decoders skip other characters.
 */
class Strings {
  private head: Buffer = NOTHING
  private decoders: Decoder[] | undefined

  constructor(
    private readonly findings: Findings,
    private readonly isJson: () => boolean,
  ) {}

  push(chunk: Uint8Array): void {
    let from = 0
    for (let at = this.next(chunk, 0); at >= 0; at = this.next(chunk, from)) {
      const isShort = at - from < SHORTEST_HASH && this.head.length === 0
      if (at > from && (this.decoders || !isShort)) this.take(chunk.subarray(from, at))
      this.end()
      from = at + 1
    }
    if (from < chunk.length) this.take(chunk.subarray(from))
  }

  end(): void {
    if (this.decoders) for (const decoder of this.decoders) decoder.end()
    else if (this.head.length > 0) decodeShort(behindHead(this.head), this.findings)
    this.head = NOTHING
    this.decoders = undefined
  }

  private next(chunk: Uint8Array, from: number): number {
    return this.isJson() ? chunk.indexOf(QUOTE, from) : -1
  }

  private take(piece: Uint8Array): void {
    if (this.decoders) {
      const letters = lettersOf(piece)
      for (const decoder of this.decoders) decoder.push(letters)
      return
    }
    const letters = lettersOf(piece, true)
    this.head = this.head.length === 0 ? letters : Buffer.concat([this.head, letters])
    if (this.head.length < LONG) return
    const value = behindHead(this.head)
    const isHex = HEX.test(value.toString('latin1', 0, LONG).replace(OF_URLS, ''))
    this.decoders = (['base64url', 'base64', ...(isHex ? (['hex'] as const) : [])] as const).map(
      (encoding) => new Decoder(encoding, this.findings),
    )
    for (const decoder of this.decoders) decoder.push(value)
  }
}

const behindHead = (letters: Buffer): Buffer =>
  lettersOf(letters.subarray(HEAD.exec(letters.toString('latin1', 0, LONG))?.[0].length ?? 0))

/** The bytes that end texts and attributes of XML: `"`, `<`, `>`. */
const ENDS = new Uint8Array(256)
for (const byte of Buffer.from('"<>')) ENDS[byte] = 1
const HASH = /^[\s\w+/=-]*$/

/** Texts and attributes of XML that may be a hash. */
class Texts {
  private rest: Buffer = NOTHING

  constructor(private readonly findings: Findings) {}

  push(chunk: Uint8Array): void {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      if (ENDS[chunk[at] ?? 0] === 0) continue
      if (this.rest.length + at - from >= SHORTEST_HASH) this.look(chunk.subarray(from, at))
      this.rest = NOTHING
      from = at + 1
    }
    if (this.rest.length <= LONGEST_HASH)
      this.rest = Buffer.concat([this.rest, chunk.subarray(from)]).subarray(0, LONGEST_HASH + 1)
  }

  end(): void {
    this.look(NOTHING)
  }

  private look(piece: Uint8Array): void {
    if (this.rest.length + piece.length > LONGEST_HASH) return
    const value = Buffer.concat([this.rest, piece])
    if (HASH.test(value.toString('latin1'))) decodeShort(lettersOf(value), this.findings)
  }
}

/** Decodes a long value piece by piece, and scans the result. */
class Decoder {
  private rest = Buffer.alloc(0)
  private readonly layer: Layer

  constructor(
    /** Node decodes both alphabets for either name of base64; here `base64` skips the letters of base64url. */
    private readonly encoding: 'base64' | 'base64url' | 'hex',
    findings: Findings,
  ) {
    this.layer = new Layer(findings, false)
  }

  push(of: Buffer): void {
    const letters = this.encoding === 'base64url' ? of : withoutLettersOfUrls(of)
    const all = this.rest.length > 0 ? Buffer.concat([this.rest, letters]) : letters
    const complete = all.length - (all.length % 4)
    this.rest = Buffer.from(all.subarray(complete))
    if (complete > 0) this.layer.push(Buffer.from(all.toString('latin1', 0, complete), this.encoding))
  }

  end(): void {
    if (this.rest.length > 0) this.layer.push(Buffer.from(this.rest.toString('latin1'), this.encoding))
    this.layer.end()
  }
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
