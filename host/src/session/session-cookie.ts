import { readCookie } from '@signed-registry/core'

/** Its name is the specification's: it has no prefix. */
export const SESSION_COOKIE = 'jwt'
const SCOPE = 'Path=/; Secure; HttpOnly; SameSite=Strict'

/** The token in a Cookie header. */
export const readSessionCookie = (header: string | undefined): string | undefined => readCookie(header, SESSION_COOKIE)

/** `Set-Cookie` that keeps a session; the browser forgets it when it is closed. */
export const sessionCookie = (token: string): string => `${SESSION_COOKIE}=${token}; ${SCOPE}`

/** `Set-Cookie` that ends a session (specification, "Reset"). */
export const emptiedCookie = `${SESSION_COOKIE}=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; ${SCOPE}`
