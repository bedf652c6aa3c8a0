/** Octets of a name: file systems take 255. */
const MAX_OCTETS = 200
const MAX_EXTENSION = 20
// Separators and reserved characters of common file systems, control characters, and bidirectional controls.
const FORBIDDEN = /[\\/:*?"<>|\p{Cc}\p{Cs}\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/gu
/** Names in a container that are taken, in any case and width, and those of devices (Windows). */
const TAKEN = /^(?:mimetype|meta-inf|(?:con|prn|aux|nul|com\d|lpt\d)(?:\..*)?)$/i

/** The name that an original has in a container: one that every file system takes, with the end that tells its kind. */
export function nameInside(name: string, documentId: string): string {
  const safe = name
    .normalize('NFC')
    .replace(FORBIDDEN, '_')
    .trim()
    .replace(/[. ]+$/, '')
    // Shells and file managers pass over names that begin with a dot.
    .replace(/^\./, '_')
  const named = safe === '' ? documentId : TAKEN.test(safe.normalize('NFKC')) ? `${documentId}-${safe}` : safe
  const [, stem = named, extension = ''] = /^(.+)(\.[^.]*)$/.exec(named) ?? []
  const end = Buffer.byteLength(extension) > MAX_EXTENSION ? '' : extension
  return end === '' ? cut(named, MAX_OCTETS) : cut(stem, MAX_OCTETS - Buffer.byteLength(end)) + end
}

/** As many characters as fit. */
function cut(text: string, octets: number): string {
  let [kept, left] = ['', octets]
  for (const character of text) {
    left -= Buffer.byteLength(character)
    if (left < 0) break
    kept += character
  }
  return kept
}
