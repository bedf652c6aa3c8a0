/** Transforms bytes chunk by chunk; a chunk that needs no change is returned itself. */
export interface Filter {
  push(chunk: Uint8Array): Uint8Array
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const APOSTROPHE = 0x27
const AMPERSAND = 0x26
const SEMICOLON = 0x3b
const LESS_THAN = 0x3c
/** Replaces an escaped character that would be taken for markup. */
const HARMLESS = 0x01
const SPACE = 0x20

/** Unescapes JSON text; escaped quotes become apostrophes. Other text passes unchanged. */
export class JsonEscapes implements Filter {
  private begun: boolean | undefined
  private state: 'plain' | 'escape' | number = 'plain'
  private value = 0
  /** Zero octets between others, and escaped zero characters. */
  hasZeros = false
  hasEscapedZeros = false

  /** Whether the text begins like JSON. */
  get isJson(): boolean {
    return this.begun === true
  }

  push(chunk: Uint8Array): Uint8Array {
    this.begun ??= isJson(chunk)
    if (this.begun === false) return chunk
    if (this.state === 'plain' && !chunk.includes(BACKSLASH) && !chunk.includes(0)) return chunk
    const out = new Uint8Array(chunk.length)
    let length = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      // Reduces ASCII in UTF-16 to ASCII.
      if (byte === 0) {
        this.hasZeros ||= this.begun === true
        continue
      }
      if (this.state === 'plain') {
        if (byte === BACKSLASH) this.state = 'escape'
        else out[length++] = byte
      } else if (this.state === 'escape') {
        this.state = byte === 0x75 ? 0 : 'plain'
        this.value = 0
        if (byte === QUOTE) out[length++] = APOSTROPHE
        else if (this.state === 'plain') out[length++] = LETTERS_OF_SPACE.has(byte) ? SPACE : byte
      } else {
        this.value = this.value * 16 + (Number.parseInt(String.fromCharCode(byte), 16) || 0)
        this.state = this.state === 3 ? 'plain' : this.state + 1
        if (this.state === 'plain' && this.value === 0) this.hasEscapedZeros = true
        if (this.state === 'plain') out[length++] = this.value === QUOTE ? APOSTROPHE : Math.min(this.value, 0xff)
      }
    }
    return out.subarray(0, length)
  }
}

const LETTERS_OF_SPACE = new Set(Buffer.from('nrtbf'))

function isJson(chunk: Uint8Array): boolean | undefined {
  for (const byte of chunk) if (!BEFORE_JSON.has(byte)) return byte === 0x7b || byte === 0x5b || byte === QUOTE
  return undefined
}
/** White space, and byte order marks. */
const BEFORE_JSON = new Set([0, 0x09, 0x0a, 0x0d, 0x20, 0xef, 0xbb, 0xbf, 0xfe, 0xff])

/** Resolves the numeric character references of XML, decimal or hexadecimal. */
export class CharacterReferences implements Filter {
  private state: 'plain' | 'ampersand' | 'hash' | 10 | 16 = 'plain'
  private value = 0

  push(chunk: Uint8Array): Uint8Array {
    if (this.state === 'plain' && !chunk.includes(AMPERSAND) && !chunk.includes(0)) return chunk
    const out = new Uint8Array(chunk.length + 1)
    let length = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      // Reduces ASCII in UTF-16 to ASCII, where it is not JSON.
      if (byte === 0) continue
      const { state } = this
      if (state === 'plain' || state === 'ampersand') {
        this.state = byte === AMPERSAND ? 'ampersand' : state === 'ampersand' && byte === 0x23 ? 'hash' : 'plain'
        if (this.state === 'plain') out[length++] = byte
      } else if (byte === SEMICOLON) {
        this.state = 'plain'
        const isMarkup = this.value === LESS_THAN || this.value === QUOTE
        out[length++] = isMarkup ? HARMLESS : Math.min(this.value, 0xff)
      } else if (state === 'hash' && byte === 0x78) {
        this.state = 16
        this.value = 0
      } else {
        const radix = state === 16 ? 16 : 10
        const digit = Number.parseInt(String.fromCharCode(byte), radix)
        this.value = Math.min((state === 'hash' ? 0 : this.value) * radix + (digit || 0), 0x10ffff)
        this.state = Number.isNaN(digit) ? 'plain' : radix
        if (Number.isNaN(digit)) out[length++] = byte
      }
    }
    return out.subarray(0, length)
  }
}

/** The ends of comments and processing instructions; in JSON a quote ends them, too. */
const CLOSING: Readonly<Record<string, { readonly alone: RegExp; readonly inJson: RegExp }>> = {
  '<!--': { alone: /-->/g, inJson: /-->|"/g },
  '<?': { alone: /\?>/g, inJson: /\?>|"/g },
}

/** Removes comments, processing instructions and CDATA marks of XML, since they may split a text. A JSON quote ends them. */
export class WithoutComments implements Filter {
  private pending = ''
  private closing: RegExp | undefined

  constructor(private readonly endsAtQuotes: () => boolean) {}

  push(chunk: Uint8Array): Uint8Array {
    if (this.pending === '' && this.closing === undefined && !chunk.includes(LESS_THAN) && !chunk.includes(0x5d))
      return chunk
    const text = this.pending + Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length).toString('latin1')
    this.pending = ''
    let out = ''
    let at = 0
    while (at < text.length) {
      if (this.closing !== undefined) {
        this.closing.lastIndex = at
        const found = this.closing.exec(text)
        if (found === null) {
          this.pending = text.slice(Math.max(at, text.length - 2))
          break
        }
        at = found[0] === '"' ? found.index : this.closing.lastIndex
        this.closing = undefined
        continue
      }
      MARKUP.lastIndex = at
      const found = MARKUP.exec(text)
      if (found === null) {
        const cut = CUT_MARKUP.exec(text.slice(at))?.index ?? text.length
        out += text.slice(at, at + cut)
        this.pending = text.slice(at + cut)
        break
      }
      out += text.slice(at, found.index)
      at = found.index + found[0].length
      this.closing = CLOSING[found[0]]?.[this.endsAtQuotes() ? 'inJson' : 'alone']
    }
    return Buffer.from(out, 'latin1')
  }
}
const MARKUP = /<!--|<!\[CDATA\[|<\?|\]\]>/g
const CUT_MARKUP = /(?:<|<!|<!-|<!\[(?:C(?:D(?:A(?:TA?)?)?)?)?|\]\]?)$/

/** Removes the heads of octet strings, since they may split the content of a CMS in BER. */
export class WithoutOctetHeads implements Filter {
  private state: 'plain' | 'length' | number = 'plain'

  push(chunk: Uint8Array): Uint8Array {
    if (this.state === 'plain' && !chunk.includes(0x04)) return chunk
    const out = new Uint8Array(chunk.length)
    let length = 0
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0
      if (this.state === 'plain') {
        if (byte === 0x04 || byte === 0x24) this.state = 'length'
        else out[length++] = byte
      } else if (this.state === 'length') {
        const more = byte - 0x80
        this.state = more > 0 && more <= 4 ? more : 'plain'
      } else {
        this.state = this.state > 1 ? this.state - 1 : 'plain'
      }
    }
    return out.subarray(0, length)
  }
}
