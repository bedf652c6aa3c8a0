import { cookieName, readCookie } from '@signed-registry/core'
import type { FastifyRequest } from 'fastify'

/** The name in the specification, without a prefix. */
const SESSION = 'jwt'
const PHONE_LOGIN = 'phone-login'
const SCOPE = 'Path=/; Secure; HttpOnly; SameSite=Strict'
const SECRET = /^[A-Za-z0-9]{22}$/

/** Cookies that are credentials; that of a login by phone has one name for HTTPS and another for local development. */
export const COOKIES = [SESSION, cookieName(PHONE_LOGIN, true), cookieName(PHONE_LOGIN, false)] as const

/** True when the browser used HTTPS, also if a proxy terminates it. */
export const isHttps = ({ protocol }: FastifyRequest, baseUrl: string): boolean =>
  protocol === 'https' || baseUrl.startsWith('https:')

/** The token in a Cookie header. */
export const readSessionCookie = (header: string | undefined): string | undefined => readCookie(header, SESSION)

/** `Set-Cookie` of a session; the browser discards it on exit. */
export const sessionCookie = (token: string): string => `${SESSION}=${token}; ${SCOPE}`

/** `Set-Cookie` that ends a session (specification, "Reset"). */
export const expiredCookie = `${SESSION}=; Max-Age=0; Expires=Thu, 01 Jan 1970 00:00:00 GMT; ${SCOPE}`

/** The secret of the browser that began a login by phone; over HTTPS only under the `__Host-` name, which nobody else can set. */
export const readPhoneLoginCookie = (header: string | undefined, isHttps: boolean): string | undefined => {
  const secret = readCookie(header, cookieName(PHONE_LOGIN, isHttps))
  return secret !== undefined && SECRET.test(secret) ? secret : undefined
}

/** `Set-Cookie` that keeps it for `seconds`; 0 deletes it. */
export const phoneLoginCookie = (secret: string, seconds: number, isHttps: boolean): string =>
  `${cookieName(PHONE_LOGIN, isHttps)}=${secret}; Max-Age=${seconds}; ${SCOPE}`
