/**
 * The name of a cookie of ours: over HTTPS with the prefix by which browsers let neither another host of the domain nor plain
 * HTTP set it (RFC 6265bis, 4.1.3.2). Such a cookie is `Secure`, with `Path=/` and no `Domain`.
 */
export const cookieName = (name: string, isHttps: boolean): string => (isHttps ? `__Host-${name}` : name)

/** Every value that a `Cookie` header has for a name, as they came. */
export const cookieValues = (header: string | undefined, name: string): string[] =>
  (header ?? '').split(';').flatMap((pair) => {
    const separator = pair.indexOf('=')
    return separator > 0 && pair.slice(0, separator).trim() === name ? [pair.slice(separator + 1).trim()] : []
  })

/** A cookie of a `Cookie` header; none where there are several of the name, because somebody else has put one of them there. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const [value, ...others] = cookieValues(header, name)
  return others.length === 0 && value !== '' ? value : undefined
}
