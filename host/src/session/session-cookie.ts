const NAME = 'jwt'
const SCOPE = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/** The token in a Cookie header; none where there are several, because somebody else has put one of them there. */
export function readSessionCookie(header: string | undefined): string | undefined {
  if (header === undefined) return undefined
  const [token, ...others] = header.split(';').flatMap((pair) => {
    const separator = pair.indexOf('=')
    return separator > 0 && pair.slice(0, separator).trim() === NAME ? [pair.slice(separator + 1).trim()] : []
  })
  return others.length === 0 && token !== '' ? token : undefined
}

/** `Set-Cookie` that keeps a session; the browser forgets it when it is closed. */
export const sessionCookie = (token: string): string => `${NAME}=${token}; ${SCOPE}`

/** `Set-Cookie` that ends a session (specification, "Reset"). */
export const emptiedCookie = `${NAME}=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; ${SCOPE}`
