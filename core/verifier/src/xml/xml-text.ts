import { isAscii } from 'node:buffer'
import { notParsed } from './xml-errors.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const DECLARED = /^\ufeff?<\?xml\s[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/
/** Encodings that agree with UTF-8 on ASCII octets. */
const LIKE_ASCII = /^(?:us-ascii|iso-8859-\d{1,2}|windows-125\d|koi8-[ru])$/i

/**
 * Decodes XML: UTF-8, or a declared encoding in which the octets mean the same. Others are refused (`encoding`), since other
 * software follows the declaration and would read something else than was verified; so is invalid UTF-8 (`notUtf8`).
 */
export function xmlText(bytes: Uint8Array): string {
  const text = decoded(bytes)
  const [, encoding = 'utf-8'] = DECLARED.exec(text) ?? []
  if (/^utf-?8$/i.test(encoding) || (LIKE_ASCII.test(encoding) && isAscii(bytes))) return text
  throw notParsed('encoding', { encoding })
}

function decoded(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    const [, encoding = 'utf-8'] = DECLARED.exec(Buffer.from(bytes.subarray(0, 400)).toString('latin1')) ?? []
    throw /^utf-?8$/i.test(encoding) ? notParsed('notUtf8') : notParsed('encoding', { encoding })
  }
}
