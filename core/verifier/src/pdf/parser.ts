import { PdfDictionary, PdfName, PdfRef, PdfString, type PdfValue } from './values.js'

/** Thrown at the end of a window that is not the end of the file: more of it is needed. */
export class NeedsMore extends Error {}
/** Thrown for octets that are no object. */
export class NotAnObject extends Error {}

const MAX_DEPTH = 100
/** Values in one object. */
const MAX_VALUES = 500_000
const LF = 0x0a
const CR = 0x0d
const [PERCENT, LEFT, RIGHT, LESS, GREATER, OPEN, CLOSE, SOLIDUS, BACKSLASH] = [
  0x25, 0x28, 0x29, 0x3c, 0x3e, 0x5b, 0x5d, 0x2f, 0x5c,
]
const ESCAPES: Readonly<Record<string, number>> = { n: LF, r: CR, t: 9, b: 8, f: 12 }
const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)$/

const isSpace = (octet: number): boolean =>
  octet === 0x20 || octet === LF || octet === CR || octet === 9 || octet === 12 || octet === 0
const isDelimiter = (octet: number): boolean =>
  octet === LEFT ||
  octet === RIGHT ||
  octet === LESS ||
  octet === GREATER ||
  octet === OPEN ||
  octet === CLOSE ||
  octet === SOLIDUS ||
  octet === PERCENT ||
  octet === 0x7b ||
  octet === 0x7d

/** Reads objects (ISO 32000-2, 7.2 and 7.3) out of octets that stand at `base` in the file. */
export class PdfParser {
  constructor(
    private readonly octets: Uint8Array,
    /** Where in `octets` it reads. */
    public at = 0,
    private readonly base = 0,
    /** Whether the octets end where the file does. */
    private readonly isWhole = true,
  ) {}

  private values = 0

  /** Where it reads, in the file. */
  get place(): number {
    return this.base + this.at
  }

  /** A value with all that is in it; throws `NotAnObject` for anything else. */
  value(depth = 0): PdfValue {
    this.values += 1
    if (depth > MAX_DEPTH || this.values > MAX_VALUES) throw new NotAnObject('nested too deeply, or too large')
    this.skipSpace()
    const octet = this.octet()
    if (octet === SOLIDUS) return this.name()
    if (octet === LEFT) return this.literal()
    if (octet === LESS) return this.peek(1) === LESS ? this.dictionary(depth) : this.hexadecimal()
    if (octet === OPEN) return this.array(depth)
    return this.numberOrKeyword()
  }

  /** A word of regular characters. */
  word(): string {
    this.skipSpace()
    const from = this.at
    while (
      this.at < this.octets.length &&
      !isSpace(this.octets[this.at] ?? 0) &&
      !isDelimiter(this.octets[this.at] ?? 0)
    )
      this.at += 1
    if (this.at === this.octets.length && !this.isWhole) throw new NeedsMore()
    return Buffer.from(this.octets.subarray(from, this.at)).toString('latin1')
  }

  /** A non-negative integer; throws `NotAnObject` for anything else. */
  integer(): number {
    const word = this.word()
    const number = Number(word)
    if (!/^\d{1,15}$/.test(word)) throw new NotAnObject('no integer')
    return number
  }

  /** White space and comments. */
  skipSpace(): void {
    for (;;) {
      const octet = this.octets[this.at]
      if (octet === undefined) {
        if (!this.isWhole) throw new NeedsMore()
        return
      }
      if (octet === PERCENT) this.skipComment()
      else if (isSpace(octet)) this.at += 1
      else return
    }
  }

  /** Behind `stream` (7.3.8.1): CR LF or LF; some writers have CR alone, which is not taken. */
  skipStreamEnd(): void {
    if (this.peek(0) === CR) this.at += 1
    if (this.octet() !== LF) throw new NotAnObject('no end of line behind stream')
    this.at += 1
  }

  private skipComment(): void {
    for (let octet = this.octets[this.at]; octet !== LF && octet !== CR; octet = this.octets[this.at]) {
      if (octet === undefined) {
        if (!this.isWhole) throw new NeedsMore()
        return
      }
      this.at += 1
    }
  }

  private octet(): number {
    const octet = this.octets[this.at]
    if (octet !== undefined) return octet
    throw this.isWhole ? new NotAnObject('ends') : new NeedsMore()
  }

  private peek(by: number): number | undefined {
    const octet = this.octets[this.at + by]
    if (octet === undefined && !this.isWhole) throw new NeedsMore()
    return octet
  }

  private name(): PdfName {
    this.at += 1
    const from = this.at
    for (let octet = this.peek(0); octet !== undefined && !isSpace(octet) && !isDelimiter(octet); octet = this.peek(0))
      this.at += 1
    const raw = Buffer.from(this.octets.subarray(from, this.at)).toString('latin1')
    if (!raw.includes('#')) return new PdfName(raw)
    return new PdfName(
      raw.replace(/#([0-9A-Fa-f]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    )
  }

  private literal(): PdfString {
    const from = this.place
    const bytes: number[] = []
    this.at += 1
    for (let open = 1; ; ) {
      const octet = this.octet()
      this.at += 1
      if (octet === BACKSLASH) this.escape(bytes)
      else if (octet === CR) {
        if (this.peek(0) === LF) this.at += 1
        bytes.push(LF)
      } else {
        if (octet === LEFT) open += 1
        if (octet === RIGHT) open -= 1
        if (open === 0) return new PdfString(Uint8Array.from(bytes), false, from, this.place)
        bytes.push(octet)
      }
    }
  }

  private escape(bytes: number[]): void {
    const octet = this.octet()
    this.at += 1
    if (octet >= 0x30 && octet <= 0x37) {
      let value = octet - 0x30
      for (let more = 0; more < 2; more += 1) {
        const next = this.octet()
        if (next < 0x30 || next > 0x37) break
        value = value * 8 + next - 0x30
        this.at += 1
      }
      bytes.push(value & 0xff)
    } else if (octet === CR) {
      if (this.peek(0) === LF) this.at += 1
    } else if (octet !== LF) bytes.push(ESCAPES[String.fromCharCode(octet)] ?? octet)
  }

  private hexadecimal(): PdfString {
    const from = this.place
    const begin = this.at + 1
    let end = this.octets.indexOf(GREATER, begin)
    if (end === -1) throw this.isWhole ? new NotAnObject('a string without an end') : new NeedsMore()
    const digits = Buffer.from(this.octets.subarray(begin, end))
      .toString('latin1')
      .replace(/[\s\0]/g, '')
    if (/[^0-9A-Fa-f]/.test(digits)) throw new NotAnObject('no hexadecimal')
    end += 1
    this.at = end
    const even = digits.length % 2 === 0 ? digits : `${digits}0`
    return new PdfString(Buffer.from(even, 'hex'), true, from, this.place)
  }

  private array(depth: number): readonly PdfValue[] {
    const values: PdfValue[] = []
    this.at += 1
    for (;;) {
      this.skipSpace()
      if (this.octet() === CLOSE) {
        this.at += 1
        return values
      }
      values.push(this.value(depth + 1))
    }
  }

  private dictionary(depth: number): PdfDictionary {
    const dictionary = new PdfDictionary()
    this.at += 2
    for (;;) {
      this.skipSpace()
      if (this.octet() === GREATER && this.peek(1) === GREATER) {
        this.at += 2
        return dictionary
      }
      if (this.octet() !== SOLIDUS) throw new NotAnObject('no name in a dictionary')
      const { text } = this.name()
      const value = this.value(depth + 1)
      if (dictionary.entries.has(text)) dictionary.doubled = text
      // A name with null is as if it was not there (7.3.9).
      if (value !== null) dictionary.entries.set(text, value)
    }
  }

  private numberOrKeyword(): PdfValue {
    const word = this.word()
    if (word === 'true') return true
    if (word === 'false') return false
    if (word === 'null') return null
    if (!NUMBER.test(word)) throw new NotAnObject(word === '' ? 'no object' : 'a keyword')
    const number = Number(word)
    return /^\d{1,10}$/.test(word) ? (this.reference(number) ?? number) : number
  }

  /** The rest of `number generation R`; `undefined` where it is a number alone. */
  private reference(number: number): PdfRef | undefined {
    const { at } = this
    this.skipSpace()
    const generation = this.digits()
    if (generation !== undefined && generation.length <= 5) {
      this.skipSpace()
      const next = this.peek(1)
      if (this.peek(0) === 0x52 && (next === undefined || isSpace(next) || isDelimiter(next))) {
        this.at += 1
        return new PdfRef(number, Number(generation))
      }
    }
    this.at = at
    return undefined
  }

  private digits(): string | undefined {
    const from = this.at
    for (let octet = this.peek(0); octet !== undefined && octet >= 0x30 && octet <= 0x39; octet = this.peek(0))
      this.at += 1
    return this.at === from ? undefined : Buffer.from(this.octets.subarray(from, this.at)).toString('latin1')
  }
}
