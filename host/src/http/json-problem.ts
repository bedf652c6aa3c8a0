/** Longest text that is searched for the place: it costs as much as parsing. */
const MAX_LENGTH = 64 * 1024
const SPACE = /[ \t\n\r]*/y
const STRING = /"(?:[ !#-[\]-\uffff]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y
const SCALAR = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** What is wrong with malformed JSON: the line and column of the first mistake, counted from 1, or a key that is not allowed. */
export function jsonProblem(text: string): Readonly<Record<string, unknown>> {
  if (text.length > MAX_LENGTH) return {}
  const at = new Scanner(text).end()
  if (at === undefined) return { problem: 'a key that is not allowed, such as __proto__' }
  const before = text.slice(0, at).split('\n')
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 }
}

/** Follows the grammar of JSON (RFC 8259); nesting was bounded beforehand. */
class Scanner {
  private at = 0

  constructor(private readonly text: string) {}

  /** Offset of the first mistake; `undefined` for valid JSON. */
  end(): number | undefined {
    const isValue = this.value()
    this.take(SPACE)
    return isValue && this.at === this.text.length ? undefined : this.at
  }

  private value(): boolean {
    this.take(SPACE)
    if (this.is('{')) return this.members('}', () => this.key() && this.is(':') && this.value())
    if (this.is('[')) return this.members(']', () => this.value())
    return this.take(STRING) || this.take(SCALAR)
  }

  private key(): boolean {
    this.take(SPACE)
    const isKey = this.take(STRING)
    this.take(SPACE)
    return isKey
  }

  private members(close: string, member: () => boolean): boolean {
    this.take(SPACE)
    if (this.is(close)) return true
    for (;;) {
      if (!member()) return false
      this.take(SPACE)
      if (this.is(close)) return true
      if (!this.is(',')) return false
    }
  }

  private is(character: string): boolean {
    if (this.text[this.at] !== character) return false
    this.at += 1
    return true
  }

  private take(pattern: RegExp): boolean {
    pattern.lastIndex = this.at
    const [found] = pattern.exec(this.text) ?? []
    if (found === undefined) return false
    this.at += found.length
    return true
  }
}
