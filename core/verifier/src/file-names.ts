const MAX_OCTETS = 1200
const MAX_DEPTH = 8
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a name must not have
const NOT_IN_NAMES = /[\u0000-\u001f\u007f\\:]|^\/|\/$|\/\//

/** A name that a file in a container must not have. */
export interface BadName {
  readonly reason: 'unsafeName' | 'doubledName'
  readonly name: string
}

/**
 * The first of these names that leads out of a folder, that file systems cannot have, or that is the same as another for some of
 * them: by case, by normal form, or as a file and a folder. Names of folders end with a slash.
 */
export function badNameAmong(names: readonly string[], folders: readonly string[] = []): BadName | undefined {
  const known = new Set<string>()
  for (const name of names) {
    if (!isSafe(name)) return { reason: 'unsafeName', name }
    const folded = fold(name)
    if (known.has(folded)) return { reason: 'doubledName', name }
    known.add(folded)
  }
  const unsafe = folders.find((name) => !isSafe(name.slice(0, -1)))
  if (unsafe !== undefined) return { reason: 'unsafeName', name: unsafe }
  const doubled = [...names, ...folders].find((name) => foldersOf(fold(name)).some((folder) => known.has(folder)))
  return doubled === undefined ? undefined : { reason: 'doubledName', name: doubled }
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

/** Capitals first: of two small letters with one capital, such as σ and ς, some file systems make one. */
const fold = (name: string): string => name.normalize('NFKC').toUpperCase().toLowerCase().normalize('NFKC')

const foldersOf = (name: string): string[] =>
  name.split('/').flatMap((_, index, parts) => (index === 0 ? [] : [parts.slice(0, index).join('/')]))
