import { createHash } from 'node:crypto'
import { digest, digestAlgorithms } from '../signatures/index.js'
import { lettersOf, NonceMarks, OVERLAP } from './nonce-marks.js'
import { CharacterReferences, JsonEscapes, WithoutComments, WithoutOctetHeads } from './plain-text.js'

/** What was found in data that somebody is to sign. */
export interface Suspects {
  /** Digests that data may be, or name: of lines of nonces, and hashes of the sizes that nonces are known by. */
  readonly digests: readonly Buffer[]
  /** The data are what a signature is made over, not what is signed. */
  readonly isSignedInfo: boolean
  /** There were more than are looked up. */
  readonly tooMany: boolean
}

const SIZES = new Set(
  digestAlgorithms.filter(({ trusted }) => trusted).map(({ oid }) => digest(oid, Buffer.alloc(0)).length),
)
/** What is larger is no hash with a head, and no signed attributes. */
const SMALL = 64 * 1024
/** A hash in hexadecimal, and some white space. */
const LONGEST_HASH = 160
/** Letters of a value from which on it is decoded and looked into as data are. */
const LONG = 192
/** Letters of a value that something with a hash in it may decode from. */
const SHORTEST = 40
const MOST = 20_000
const SIGNED_INFO = /(?:^|")\s*<(?:[\w.-]{1,64}:)?SignedInfo[\s>]/
const DASHES = 5
/** Of PEM, or of a data URI. */
const LONGEST_HEAD = 128

/**
 * Looks through data of any length for nonces and their hashes: as they are, in UTF-16, hexadecimal and base64, with the
 * escapes of JSON and XML, in pieces of BER; and once more in what values in base64 or hexadecimal decode to. It keeps
 * some KiB, however long the data are.
 */
export class NonceScanner {
  private readonly digests = new Map<string, Buffer>()
  private isSignedInfo = false
  private tooMany = false
  private readonly layer = new Layer(
    {
      line: (line) => this.add(createHash('sha256').update(line).digest()),
      hash: (bytes) => this.add(bytes),
      signedInfo: () => {
        this.isSignedInfo = true
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

  /** What there was in all that was pushed. */
  end(): Suspects {
    this.layer.end()
    const { isSignedInfo, tooMany } = this
    return { digests: [...this.digests.values()], isSignedInfo, tooMany }
  }

  private add(bytes: Buffer): void {
    if (this.digests.size >= MOST) this.tooMany = true
    else this.digests.set(bytes.toString('latin1'), Buffer.from(bytes))
  }
}

interface Finds {
  line(line: string): void
  hash(bytes: Buffer): void
  signedInfo(): void
  tooMany(): void
}

/** Data as they are, or as a value decodes to. */
class Layer {
  private readonly json = new JsonEscapes()
  private readonly references = new CharacterReferences()
  private readonly comments = new WithoutComments(() => this.isJson)
  private readonly heads = new WithoutOctetHeads()
  private readonly marks: NonceMarks
  /** Others may see other letters; `same` are those of late that were not. */
  private readonly others: readonly { marks: NonceMarks; same: number }[]
  private readonly values: Values | undefined
  private size = 0
  private small: Uint8Array[] = []
  private before = ''
  private isJson = false

  constructor(
    private readonly finds: Finds,
    outer: boolean,
  ) {
    this.marks = new NonceMarks(finds.line, finds.tooMany)
    this.others = [1, 2].map(() => ({ marks: new NonceMarks(finds.line, finds.tooMany), same: OVERLAP }))
    if (outer) this.values = new Values(finds)
  }

  push(chunk: Uint8Array): void {
    if (this.size === 0) this.isJson = /^[\s\0\xef\xbb\xbf\xfe\xff]*[{["]/.test(latin1(chunk.subarray(0, 64)))
    this.size += chunk.length
    if (this.size <= SMALL) this.small.push(chunk.slice())
    else this.small = []
    const text = this.references.push(this.json.push(chunk))
    const whole = this.comments.push(text)
    const letters = this.marks.push(text)
    for (const [at, bytes] of [whole, this.heads.push(chunk)].entries())
      this.pushOther(at, bytes, bytes === text ? letters : undefined)
    this.values?.push(whole)
    const window = this.before + latin1(text)
    if (window.includes('SignedInfo') && SIGNED_INFO.test(window)) this.finds.signedInfo()
    this.before = window.slice(-LONG)
  }

  /** The same letters are not looked through twice. */
  private pushOther(at: number, bytes: Uint8Array, same: number | undefined): void {
    const other = this.others[at]
    if (other === undefined) return
    if (same !== undefined && other.same >= OVERLAP) other.marks.follow(this.marks)
    else other.marks.push(bytes)
    other.same = same === undefined ? 0 : other.same + same
  }

  end(): void {
    const small = Buffer.concat(this.small)
    if (this.values) this.values.end()
    else if (small.length <= LONGEST_HASH) decodeHash(lettersOf(small), this.finds)
    hashesIn(small, this.finds)
  }
}

/** What values end at: `"`, `<`, `>`; their heads end at `,` and `-`. */
const ENDS = new Uint8Array(256)
for (const byte of Buffer.from('"<>,-')) ENDS[byte] = 1
const NOTHING: Buffer = Buffer.alloc(0)

/** Values of a text: strings of JSON, texts of XML, or all of it; each decoded as base64 and, where it may be, hexadecimal. */
class Values {
  private dashes = 0
  private lastDash = -2
  private head: Buffer = NOTHING
  private decoders: Decoder[] | undefined

  constructor(private readonly finds: Finds) {}

  push(chunk: Uint8Array): void {
    let from = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (ENDS[byte] === 0) continue
      if (byte === 0x2d) this.dashes = at === this.lastDash + 1 ? this.dashes + 1 : 1
      if (byte === 0x2d) this.lastDash = at
      if ((byte === 0x2c || byte === 0x2d) && !this.isHead(byte, chunk.subarray(from, at))) continue
      if (byte === 0x2c || byte === 0x2d) this.forget()
      else {
        if (at > from) this.take(chunk.subarray(from, at))
        this.end()
      }
      from = at + 1
    }
    if (from < chunk.length) this.take(chunk.subarray(from))
    this.lastDash -= chunk.length
  }

  /** Whether the value only begins behind this comma or dash. */
  private isHead(end: number, piece: Uint8Array): boolean {
    if (this.decoders !== undefined || this.head.length + piece.length > LONGEST_HEAD) return false
    return end === 0x2d ? this.dashes === DASHES : ((this.head[0] ?? piece[0] ?? 0) | 0x20) === 0x64
  }

  end(): void {
    if (this.decoders) for (const decoder of this.decoders) decoder.end()
    else if (this.head.length > 0) decodeShort(this.head, this.finds)
    this.forget()
  }

  private forget(): void {
    this.head = NOTHING
    this.decoders = undefined
  }

  private take(piece: Uint8Array): void {
    const letters = lettersOf(piece)
    if (this.decoders) {
      for (const decoder of this.decoders) decoder.push(letters)
      return
    }
    this.head = this.head.length === 0 ? letters : Buffer.concat([this.head, letters])
    if (this.head.length < LONG) return
    const isHex = HEX.test(this.head.toString('latin1', 0, LONG))
    this.decoders = (isHex ? (['base64', 'hex'] as const) : (['base64'] as const)).map(
      (encoding) => new Decoder(encoding, this.finds),
    )
    for (const decoder of this.decoders) decoder.push(this.head)
  }
}

const HEX = /^[0-9a-f]*$/i

/** Decodes a long value piece by piece and looks into it. */
class Decoder {
  private rest = Buffer.alloc(0)
  private readonly layer: Layer

  constructor(
    private readonly encoding: 'base64' | 'hex',
    finds: Finds,
  ) {
    this.layer = new Layer(finds, false)
  }

  push(letters: Buffer): void {
    const all = this.rest.length > 0 ? Buffer.concat([this.rest, letters]) : letters
    const whole = all.length - (all.length % 4)
    this.rest = Buffer.from(all.subarray(whole))
    if (whole > 0) this.layer.push(Buffer.from(all.toString('latin1', 0, whole), this.encoding))
  }

  end(): void {
    if (this.rest.length > 0) this.layer.push(Buffer.from(this.rest.toString('latin1'), this.encoding))
    this.layer.end()
  }
}

/** A short value: too short for anything around a nonce, it may decode to a hash. */
function decodeShort(letters: Buffer, finds: Finds): void {
  decodeHash(letters, finds)
  if (letters.length < SHORTEST) return
  const bytes = Buffer.from(letters.toString('latin1'), 'base64')
  decodeHash(lettersOf(bytes), finds)
  hashesIn(bytes, finds)
}

/** Letters that are a hash in base64 or hexadecimal. */
function decodeHash(letters: Buffer, finds: Finds): void {
  const text = letters.toString('latin1')
  if (HEX.test(text) && SIZES.has(text.length / 2)) finds.hash(Buffer.from(text, 'hex'))
  if (!SIZES.has(Math.floor((text.length * 3) / 4))) return
  const bytes = Buffer.from(text, 'base64')
  if (SIZES.has(bytes.length)) finds.hash(bytes)
}

/** Hashes that bytes are, or hold as octet strings, as DigestInfo and signed attributes do. */
function hashesIn(bytes: Buffer, finds: Finds): void {
  if (SIZES.has(bytes.length)) finds.hash(bytes)
  for (const size of SIZES) {
    const head = Buffer.from([0x04, size])
    for (let at = bytes.indexOf(head); at >= 0; at = bytes.indexOf(head, at + 1))
      if (at + 2 + size <= bytes.length) finds.hash(bytes.subarray(at + 2, at + 2 + size))
  }
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('latin1')
