import { notParsed } from './xml-errors.js'

/** Maximum output of one call: repeated namespace declarations can make it much larger than its source. */
const MAX_CANONICAL_OCTETS = 6 * 1024 * 1024

const escapes = (pairs: readonly (readonly [string, string])[]): readonly (Buffer | undefined)[] => {
  const table: (Buffer | undefined)[] = new Array(0x40).fill(undefined)
  for (const [character, written] of pairs) table[character.charCodeAt(0)] = Buffer.from(written)
  return table
}

const COMMON = [
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['\r', '&#xD;'],
] as const
const NOTHING = escapes([])
const IN_TEXT = escapes([...COMMON, ['>', '&gt;']])
const IN_ATTRIBUTE = escapes([...COMMON, ['"', '&quot;'], ['\t', '&#x9;'], ['\n', '&#xA;']])

/** Escapes and encodes to UTF-8 (Canonical XML 1.0, section 2.3) in one pass, without intermediate strings. */
export class CanonicalOutput {
  private octets = Buffer.allocUnsafe(4096)
  private end = 0

  markup(text: string): void {
    this.write(text, NOTHING)
  }

  text(text: string): void {
    this.write(text, IN_TEXT)
  }

  attributeValue(text: string): void {
    this.write(text, IN_ATTRIBUTE)
  }

  /** The output. */
  bytes(): Buffer {
    return this.octets.subarray(0, this.end)
  }

  private write(text: string, table: readonly (Buffer | undefined)[]): void {
    // The longest escape has six octets; a surrogate pair has two units and takes four.
    this.reserve(text.length * 6)
    const { octets } = this
    let end = this.end
    for (let i = 0; i < text.length; i += 1) {
      const unit = text.charCodeAt(i)
      if (unit < 0x40) {
        const written = table[unit]
        if (written === undefined) octets[end++] = unit
        else end += written.copy(octets, end)
      } else if (unit < 0x80) octets[end++] = unit
      else if (unit < 0x800) {
        octets[end++] = 0xc0 | (unit >> 6)
        octets[end++] = 0x80 | (unit & 0x3f)
      } else if (unit >= 0xd800 && unit < 0xdc00) {
        const point = text.codePointAt(i) ?? unit
        i += 1
        octets[end++] = 0xf0 | (point >> 18)
        octets[end++] = 0x80 | ((point >> 12) & 0x3f)
        octets[end++] = 0x80 | ((point >> 6) & 0x3f)
        octets[end++] = 0x80 | (point & 0x3f)
      } else {
        octets[end++] = 0xe0 | (unit >> 12)
        octets[end++] = 0x80 | ((unit >> 6) & 0x3f)
        octets[end++] = 0x80 | (unit & 0x3f)
      }
    }
    this.end = end
  }

  private reserve(count: number): void {
    const due = this.end + count
    if (due <= this.octets.length) return
    if (this.end > MAX_CANONICAL_OCTETS) throw notParsed('canonicalFormTooLarge')
    const grown = Buffer.allocUnsafe(Math.max(due, 2 * this.octets.length))
    this.octets.copy(grown, 0, 0, this.end)
    this.octets = grown
  }
}
