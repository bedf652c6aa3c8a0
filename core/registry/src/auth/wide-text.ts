/** First characters of XML and JSON, and white space. */
const FIRST = new Set(Buffer.from('<{["\t\n\r '))
const LESS_THAN = 0x3c
/** Bytes that suffice to tell the encodings of Unicode apart, and XML in EBCDIC. */
const HEAD = 8
const EBCDIC = Buffer.from('4c6fa794', 'hex')
/** Replaces letters outside ASCII. */
const OTHER = 0x01

type Width = 'one' | 'le' | 'be' | 'unreadable'

/**
 * Decodes UTF-16 as a parser does, by its byte order mark or first letters: otherwise the second byte of a letter would pass
 * for a letter. Text in UCS-4 or EBCDIC, which some parsers read, is reported as unreadable.
 */
export class WideText {
  private head: Buffer = Buffer.alloc(0)
  private width: Width | undefined
  private half: Buffer = Buffer.alloc(0)

  constructor(private readonly unreadable: () => void) {}

  get isWide(): boolean {
    return this.width === 'le' || this.width === 'be'
  }

  /** The letters of the chunk, one byte each; `undefined` where the data are not UTF-16. */
  push(chunk: Uint8Array): Buffer | undefined {
    if (this.width !== undefined) return this.isWide ? this.letters(chunk) : undefined
    this.head = Buffer.concat([this.head, chunk])
    if (this.head.length < HEAD) return undefined
    const { head } = this
    this.head = Buffer.alloc(0)
    this.width = widthOf(head)
    if (this.width === 'unreadable') this.unreadable()
    return this.isWide ? this.letters(head) : undefined
  }

  private letters(chunk: Uint8Array): Buffer {
    const bytes = Buffer.concat([this.half, chunk])
    const out = Buffer.allocUnsafe(bytes.length >> 1)
    const [low, high] = this.width === 'le' ? [0, 1] : [1, 0]
    for (let at = 0; at < out.length; at++) {
      const byte = bytes[2 * at + low] ?? 0
      out[at] = bytes[2 * at + high] === 0 && byte < 0x80 ? byte : OTHER
    }
    this.half = Buffer.from(bytes.subarray(2 * out.length))
    return out
  }
}

function widthOf(head: Buffer): Width {
  if (head.subarray(0, EBCDIC.length).equals(EBCDIC) || isOfFour(head)) return 'unreadable'
  const [first = 0, second = 0] = head
  if (first === 0xff && second === 0xfe) return 'le'
  if (first === 0xfe && second === 0xff) return 'be'
  if (second === 0 && FIRST.has(first)) return 'le'
  return first === 0 && FIRST.has(second) ? 'be' : 'one'
}

/** UCS-4 in any of its four byte orders: its mark, or the first two letters of XML. */
function isOfFour(head: Buffer): boolean {
  const zeros = head.subarray(0, 4).filter((byte) => byte === 0).length
  const mark = head.subarray(0, 4).filter((byte) => byte !== 0)
  if (zeros === 2) return mark.every((byte) => byte >= 0xfe) && mark[0] !== mark[1]
  const place = head.subarray(0, 4).indexOf(LESS_THAN)
  return zeros === 3 && place >= 0 && [4, 5, 6, 7].every((at) => (head[at] === 0) === (at !== place + 4))
}
