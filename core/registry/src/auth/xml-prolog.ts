import { WideText } from './wide-text.js'

/** Why XML cannot be scanned: a parser reads something else than its bytes say. */
export type Opaque = 'entities' | 'externalDtd' | 'encoding'

/** Markup that may insert text from elsewhere, or change the encoding. */
const MARK = /<!ENTITY|<!DOCTYPE|<\?xml(?=[\s\0?>])/g
/** One character less than the longest mark. */
const CUT_MARK = 8
/** Characters of an XML declaration; only one that hides something is longer. */
const LONGEST = 256
const NAMED = /encoding\s*=\s*(?:'([^']*)'|"([^"]*)")/
/** Encodings in which every byte below 128 is ASCII. */
const LIKE_ASCII =
  /^(?:utf-?8|(?:us-)?ascii|iso[-_]8859-\d{1,2}|latin[-_]?1|(?:windows-|cp)125\d|koi8-[ru]|cp866|ibm866)$/i
const LESS_THAN = 0x3c
const LESS_THAN_IN_EBCDIC = 0x4c
const WIDE = /^utf-?16(?:le|be)?$/i

/** Finds XML with text from elsewhere (entities, an external DTD), or in an encoding that is not scanned. */
export class XmlProlog {
  private before = ''
  /** The document type or XML declaration that is being read. */
  private begun: 'type' | 'declaration' | undefined
  private declaration = ''

  constructor(
    private readonly found: (why: Opaque) => void,
    private readonly isJson: () => boolean,
    /** True where the data are in UTF-16 themselves. */
    private readonly isWide: () => boolean,
  ) {}

  push(text: string): void {
    const all = this.before + text
    let at = 0
    while (at < all.length) {
      if (this.begun === undefined) {
        MARK.lastIndex = at
        const mark = MARK.exec(all)
        if (mark === null) break
        at = MARK.lastIndex
        if (mark[0] === '<!ENTITY') this.found('entities')
        else this.begun = mark[0] === '<!DOCTYPE' ? 'type' : 'declaration'
      } else {
        at = this.begun === 'type' ? this.skipType(all, at) : this.takeDeclaration(all, at)
      }
    }
    this.before = this.begun === undefined ? all.slice(Math.max(at, all.length - CUT_MARK)) : ''
  }

  /** A quote before the internal subset starts the address of an external one. A JSON quote ends the text. */
  private skipType(text: string, from: number): number {
    const end = indexOf(text, /["'[>]/g, from)
    if (end === text.length) return end
    if (text[end] === "'" || (text[end] === '"' && !this.isJson())) this.found('externalDtd')
    this.begun = undefined
    return end
  }

  private takeDeclaration(text: string, from: number): number {
    const end = indexOf(text, this.isJson() ? /[?>"]/g : /[?>]/g, from)
    this.declaration += text.slice(from, Math.min(end, from + LONGEST + 1))
    const isLong = this.declaration.length > LONGEST
    if (end === text.length && !isLong) return end
    if (isLong || !this.isReadable(this.declaration)) this.found('encoding')
    this.declaration = ''
    this.begun = undefined
    return end
  }

  private isReadable(declaration: string): boolean {
    if (!declaration.includes('encoding')) return true
    const [, single, double] = NAMED.exec(declaration) ?? []
    const name = single ?? double ?? ''
    // A string of JSON has characters, whose encoding is that of the JSON.
    return LIKE_ASCII.test(name) || (WIDE.test(name) && (this.isWide() || this.isJson()))
  }
}

function indexOf(text: string, one: RegExp, from: number): number {
  one.lastIndex = from
  return one.exec(text)?.index ?? text.length
}

/** Like `XmlProlog`, for a short value at once. */
export function lookAtXml(bytes: Buffer, found: (why: Opaque) => void): void {
  if (!bytes.includes(LESS_THAN) && !bytes.includes(LESS_THAN_IN_EBCDIC)) return
  const wide = new WideText(() => found('encoding'))
  const letters = wide.push(bytes) ?? bytes
  const prolog = new XmlProlog(
    found,
    () => false,
    () => wide.isWide,
  )
  prolog.push(letters.toString('latin1'))
}
