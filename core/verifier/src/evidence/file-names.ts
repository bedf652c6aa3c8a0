import { evidenceErrors } from './errors.js'

const MAX_OCTETS = 1200
const MAX_DEPTH = 8
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a name must not have
const NOT_IN_NAMES = /[\u0000-\u001f\u007f\\:]|^\/|\/$|\/\//

/**
 * Refuses names of files that lead out of a folder, that file systems cannot have, or that are the same for some of them: by
 * case, by normal form, or as a file and a folder. Throws `evidenceNotRead`.
 */
export function requireFileNames(names: readonly string[]): void {
  const known = new Set<string>()
  for (const name of names) {
    if (!isSafe(name)) throw evidenceErrors.error('evidenceNotRead', { reason: 'unsafeName', file: name })
    const folded = fold(name)
    if (known.has(folded)) throw evidenceErrors.error('evidenceNotRead', { reason: 'doubledName', file: name })
    known.add(folded)
  }
  for (const name of names)
    for (const folder of foldersOf(fold(name)))
      if (known.has(folder)) throw evidenceErrors.error('evidenceNotRead', { reason: 'doubledName', file: name })
}

function isSafe(name: string): boolean {
  const parts = name.split('/')
  return (
    name !== '' &&
    Buffer.byteLength(name) <= MAX_OCTETS &&
    parts.length <= MAX_DEPTH &&
    !NOT_IN_NAMES.test(name) &&
    parts.every((part) => part !== '.' && part !== '..')
  )
}

const fold = (name: string): string => name.normalize('NFKC').toLowerCase().normalize('NFKC')

const foldersOf = (name: string): string[] =>
  name.split('/').flatMap((_, index, parts) => (index === 0 ? [] : [parts.slice(0, index).join('/')]))
