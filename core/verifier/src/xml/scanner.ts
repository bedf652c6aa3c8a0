import { notParsed } from './xml-errors.js'

const NAME_START =
  'A-Z_a-z\\u{C0}-\\u{D6}\\u{D8}-\\u{F6}\\u{F8}-\\u{2FF}\\u{370}-\\u{37D}\\u{37F}-\\u{1FFF}\\u{200C}\\u{200D}\\u{2070}-\\u{218F}' +
  '\\u{2C00}-\\u{2FEF}\\u{3001}-\\u{D7FF}\\u{F900}-\\u{FDCF}\\u{FDF0}-\\u{FFFD}\\u{10000}-\\u{EFFFF}'
const NC_NAME = new RegExp(`[${NAME_START}][-.0-9\\u{B7}\\u{300}-\\u{36F}\\u{203F}\\u{2040}${NAME_START}]*`, 'uy')
const SPACES = /[ \t\r\n]*/y
/** Everything that the Char production of XML 1.0 leaves out, lone surrogates included. */
const NOT_CHAR = /[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/u
const CHARACTER_REFERENCE = /^#(?:x([0-9A-Fa-f]{1,8})|([0-9]{1,10}))$/
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])
const MAX_REFERENCE_LENGTH = 12

/** A cursor over the source with the lexical productions of XML 1.0; every failure is `signatureNotParsed`. */
export class XmlScanner {
  position = 0
  private readonly names = new Map<string, string>()

  constructor(readonly source: string) {
    const at = source.search(NOT_CHAR)
    if (at >= 0) throw notParsed('character', { at })
  }

  fail(reason = 'notWellFormed'): Error {
    return notParsed(reason, { at: this.position })
  }

  get done(): boolean {
    return this.position >= this.source.length
  }

  /** Code unit at the cursor; NaN at the end. */
  peek(): number {
    return this.source.charCodeAt(this.position)
  }

  looksAt(text: string): boolean {
    return this.source.startsWith(text, this.position)
  }

  /** Consumes `text` if it is next. */
  skip(text: string): boolean {
    if (!this.looksAt(text)) return false
    this.position += text.length
    return true
  }

  expect(text: string): void {
    if (!this.skip(text)) throw this.fail()
  }

  /** Consumes white space; whether there was any. */
  skipSpace(): boolean {
    const code = this.peek()
    if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return false
    SPACES.lastIndex = this.position
    SPACES.test(this.source)
    this.position = SPACES.lastIndex
    return true
  }

  /** A name without a colon (Namespaces in XML, NCName). */
  ncName(): string {
    const start = this.position
    let end = start
    let unit = this.source.charCodeAt(end)
    if (!isAsciiLetter(unit)) return this.anyNcName()
    while (isAsciiNameUnit(unit)) {
      end += 1
      unit = this.source.charCodeAt(end)
    }
    if (unit >= 0x80) return this.anyNcName()
    this.position = end
    return this.interned(this.source.slice(start, end))
  }

  private anyNcName(): string {
    NC_NAME.lastIndex = this.position
    if (!NC_NAME.test(this.source)) throw this.fail()
    const start = this.position
    this.position = NC_NAME.lastIndex
    return this.interned(this.source.slice(start, this.position))
  }

  /** One string object for all occurrences of a name: documents repeat few names very often. */
  private interned(name: string): string {
    const known = this.names.get(name)
    if (known !== undefined) return known
    this.names.set(name, name)
    return name
  }

  /** Text up to `end`, which is consumed too. */
  until(end: string): string {
    const at = this.source.indexOf(end, this.position)
    if (at < 0) throw this.fail()
    const text = this.source.slice(this.position, at)
    this.position = at + end.length
    return text
  }

  /** A quoted literal. */
  quoted(): string {
    const quote = this.source[this.position]
    if (quote !== '"' && quote !== "'") throw this.fail()
    this.position += 1
    return this.until(quote)
  }

  /** Resolves character references and the five predefined entities; there are no others without a DTD. */
  resolve(raw: string): string {
    let ampersand = raw.indexOf('&')
    if (ampersand < 0) return raw
    let from = 0
    let resolved = ''
    for (; ampersand >= 0; ampersand = raw.indexOf('&', from)) {
      const end = raw.indexOf(';', ampersand)
      if (end < 0 || end - ampersand > MAX_REFERENCE_LENGTH) throw this.fail('entity')
      resolved += raw.slice(from, ampersand) + this.reference(raw.slice(ampersand + 1, end))
      from = end + 1
    }
    return resolved + raw.slice(from)
  }

  private reference(name: string): string {
    const entity = ENTITIES.get(name)
    if (entity !== undefined) return entity
    const match = CHARACTER_REFERENCE.exec(name)
    if (match === null) throw this.fail('entity')
    const code = match[1] === undefined ? Number(match[2]) : Number.parseInt(match[1], 16)
    if (code > 0x10ffff) throw this.fail('character')
    const character = String.fromCodePoint(code)
    if (NOT_CHAR.test(character)) throw this.fail('character')
    return character
  }
}

const isAsciiLetter = (unit: number): boolean => ((unit | 0x20) >= 0x61 && (unit | 0x20) <= 0x7a) || unit === 0x5f
const isAsciiNameUnit = (unit: number): boolean =>
  isAsciiLetter(unit) || (unit >= 0x30 && unit <= 0x39) || unit === 0x2d || unit === 0x2e

/** End-of-line handling (XML 1.0 section 2.11). */
export const normalizeLines = (text: string): string => (text.includes('\r') ? text.replace(/\r\n?/g, '\n') : text)
