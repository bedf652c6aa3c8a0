const SCHEME = /^[A-Za-z][A-Za-z0-9+.-]*:/

/**
 * Finds files by the URIs of references, for `resolve`: a URI is a file name, possibly percent-encoded (RFC 3986, 2.1), relative to
 * the container (EN 319 162-1, 4.3.3.2); of a `file:` URI the last segment is used. Nothing is fetched.
 */
export function filesByUri<T>(files: ReadonlyMap<string, T>): (uri: string) => T | undefined {
  const byName = new Map([...files].map(([name, file]) => [relative(name), file]))
  return (uri) => {
    const exact = files.get(uri)
    if (exact !== undefined) return exact
    const name = nameIn(uri)
    return name === undefined ? undefined : byName.get(name)
  }
}

function nameIn(uri: string): string | undefined {
  const isFile = /^file:/i.test(uri)
  if ((SCHEME.test(uri) && !isFile) || uri.startsWith('//') || /[?#]/.test(uri)) return undefined
  try {
    return relative(decodeURIComponent(isFile ? uri.slice(uri.lastIndexOf('/') + 1) : uri))
  } catch {
    return undefined
  }
}

/** One spelling of a name: no `./` or `/` before it, composed characters (NFC). */
const relative = (name: string): string => name.replace(/^(?:\.?\/)+/, '').normalize('NFC')
