// Separators and reserved characters of common file systems, control characters, and bidirectional controls.
const FORBIDDEN = /[\\/:*?"<>|\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/u
const ALL_FORBIDDEN = new RegExp(FORBIDDEN, 'gu')
const LONGEST = 255
/** What people read in place of a character that file names do not have. */
const INSTEAD: Readonly<Record<string, string>> = {
  ...{ '\\': '-', '/': '-', ':': '-', '|': '-' },
  ...{ '"': "'", '<': '(', '>': ')', '\t': ' ', '\n': ' ', '\r': ' ', '\u2028': ' ', '\u2029': ' ' },
}

/** True for text that may serve as a file name, and for an empty title. */
export function isFileName(text: string): boolean {
  return !FORBIDDEN.test(text) && text !== '.' && text !== '..'
}

/** The text with `instead` for each character that file names do not have. */
export const withoutForbidden = (text: string, instead: (character: string) => string): string =>
  text.replace(ALL_FORBIDDEN, instead)

/** The title nearest to a text that is accepted as one: `Contract No 18/2026` becomes `Contract No 18-2026`. */
export function nearestTitle(text: string): string {
  const title = withoutForbidden(text.replace(/\s*:\s+/g, ' - '), (character) => INSTEAD[character] ?? '').trim()
  return isFileName(title) ? [...title].slice(0, LONGEST).join('').trimEnd() : ''
}
