/**
 * The name of one of our cookies: over HTTPS with the prefix that keeps other hosts of the domain and plain HTTP from setting
 * it (RFC 6265bis, 4.1.3.2). Such a cookie must be `Secure`, with `Path=/` and no `Domain`.
 */
export const cookieName = (name: string, isHttps: boolean): string => (isHttps ? `__Host-${name}` : name)

/** All raw values of a name in a `Cookie` header. */
export const cookieValues = (header: string | undefined, name: string): string[] =>
  (header ?? '').split(';').flatMap((pair) => {
    const separator = pair.indexOf('=')
    return separator > 0 && pair.slice(0, separator).trim() === name ? [pair.slice(separator + 1).trim()] : []
  })

/** A cookie of a `Cookie` header; `undefined` for a duplicate name, since somebody else must have set one of them. */
export function readCookie(header: string | undefined, name: string): string | undefined {
  const [value, ...others] = cookieValues(header, name)
  return others.length === 0 && value !== '' ? value : undefined
}
