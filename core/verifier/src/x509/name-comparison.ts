const NOT_ASCII = /[^\0-\x7f]/
const MAPPED_TO_NOTHING = /\p{Cc}|\p{Cf}|\p{Variation_Selector}|\u034f|\ufffc/gu
const MAPPED_TO_SPACE = /[\t-\r\x85]|[\p{Zs}\p{Zl}\p{Zp}]/gu
const DOTLESS_I_APART = /[^ı]+/gu

/** Prepares a text for caseIgnoreMatch: maps, folds case, normalizes and compresses spaces (RFC 5280 section 7.1, RFC 4518). */
export function preparedText(text: string): string {
  const mapped = text.replace(MAPPED_TO_SPACE, ' ').replace(MAPPED_TO_NOTHING, '')
  const folded = NOT_ASCII.test(mapped) ? foldedCase(mapped.normalize('NFKC')).normalize('NFKC') : mapped.toLowerCase()
  return folded.trim().replace(/ {2,}/g, ' ')
}

// Upper then lower case is full case folding (ß is ss) once final sigma is undone; dotless i folds to itself only.
const foldedCase = (text: string): string =>
  text.replace(DOTLESS_I_APART, (part) => part.toUpperCase().toLowerCase()).replaceAll('ς', 'σ')
