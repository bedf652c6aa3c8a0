import { cookieName, readCookie } from '@signed-registry/core'

const NAME = 'phone-login'
const SCOPE = 'Path=/; Secure; HttpOnly; SameSite=Strict'
const SECRET = /^[A-Za-z0-9]{22}$/

/** Its names, by HTTPS and on a computer of one's own. */
export const PHONE_LOGIN_COOKIES = [cookieName(NAME, true), cookieName(NAME, false)] as const

/** The secret of the browser that began a login by phone; by HTTPS only under the name that nobody else can set. */
export const readPhoneLoginCookie = (header: string | undefined, isHttps: boolean): string | undefined => {
  const secret = readCookie(header, cookieName(NAME, isHttps))
  return secret !== undefined && SECRET.test(secret) ? secret : undefined
}

/** `Set-Cookie` that keeps it for so many seconds; for none it is forgotten. */
export const phoneLoginCookie = (secret: string, seconds: number, isHttps: boolean): string =>
  `${cookieName(NAME, isHttps)}=${secret}; Max-Age=${seconds}; ${SCOPE}`
