import { DerError, readDer } from '../der/reader.js'
import { readText } from '../der/strings.js'

/** One attribute of a name written as text; `keyword` in upper case or a dotted OID. */
export interface NamePart {
  readonly keyword: string
  readonly value: string
}

const MAX_LENGTH = 8192
const KEYWORD = /[ \t\r\n]*(?:(?:OID|oid)\.)?([A-Za-z][A-Za-z0-9-]*|[0-9]+(?:\.[0-9]+)+)[ \t\r\n]*=[ \t\r\n]*/y
const QUOTED = /"((?:[^"\\]|\\[\s\S])*)"[ \t\r\n]*/y
const PLAIN = /(?:[^,;+"\\]|\\[\s\S])*/y

/** Reads a distinguished name (RFC 4514; also the quotes and semicolons of RFC 2253 and 1779); undefined if it is not one. */
export function readNameString(text: string): NamePart[][] | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const rdns: NamePart[][] = []
  let rdn: NamePart[] = []
  for (let position = 0; ; position += 1) {
    const keyword = matchAt(KEYWORD, text, position)
    if (keyword === undefined) return undefined
    position += keyword[0].length
    const quoted = matchAt(QUOTED, text, position)
    const raw = quoted ?? matchAt(PLAIN, text, position)
    if (raw === undefined) return undefined
    position += raw[0].length
    const value = quoted === undefined ? readValue(raw[0]) : unescaped(quoted[1] ?? '')
    if (value === undefined) return undefined
    rdn.push({ keyword: (keyword[1] ?? '').toUpperCase(), value })
    const separator = text[position]
    if (separator === '+') continue
    rdns.push(rdn)
    rdn = []
    if (separator === undefined) return rdns
    if (separator !== ',' && separator !== ';') return undefined
  }
}

function matchAt(pattern: RegExp, text: string, position: number): RegExpExecArray | undefined {
  pattern.lastIndex = position
  return pattern.exec(text) ?? undefined
}

function readValue(raw: string): string | undefined {
  const bare = raw.trim()
  if (!bare.startsWith('#')) return unescaped(raw)
  if (!/^#(?:[0-9A-Fa-f]{2})+$/.test(bare)) return undefined
  try {
    const der = Buffer.from(bare.slice(1), 'hex')
    return readText(readDer(der)) ?? der.toString('base64')
  } catch (error) {
    if (error instanceof DerError) return undefined
    throw error
  }
}

/** Undoes `\,` and `\C3\A9`; the octets of hexadecimal pairs are UTF-8. */
const unescaped = (raw: string): string =>
  raw.replace(/(?:\\[0-9A-Fa-f]{2})+|\\([\s\S])/g, (found, sign: string | undefined) =>
    sign === undefined ? Buffer.from(found.replaceAll('\\', ''), 'hex').toString('utf8') : sign,
  )
