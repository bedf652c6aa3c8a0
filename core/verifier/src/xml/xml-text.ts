import { isAscii } from 'node:buffer'
import { notParsed } from './xml-errors.js'

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
const DECLARED = /^\ufeff?<\?xml\s[^>]{0,200}?\sencoding\s*=\s*["']([A-Za-z0-9._-]{1,40})["']/
/** Encodings in which octets of ASCII are what they are in UTF-8. */
const LIKE_ASCII = /^(?:us-ascii|iso-8859-\d{1,2}|windows-125\d|koi8-[ru])$/i

/**
 * Text of XML that is given as octets: UTF-8, also where its declaration names an encoding in which they mean the same.
 * Others (`encoding`) are refused, since the readers of a document go by what it declares, and would not read what was verified; so are
 * octets that are not what they say that they are (`notUtf8`).
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
