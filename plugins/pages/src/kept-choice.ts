import { cookieName, type PageRequest, readCookie } from '@signed-registry/core'

/** Choices of visitors that are kept for a year. */
type Choice = 'lang' | 'scheme'
type Asked = Pick<PageRequest, 'isHttps' | 'header'>

/** The choice in the cookies of a request. */
export const keptChoice = (choice: Choice, { isHttps, header }: Asked): string | undefined =>
  readCookie(header('cookie'), cookieName(choice, isHttps))

/** `Set-Cookie` that keeps a choice. */
export const choiceCookie = (choice: Choice, value: string, { isHttps }: Pick<Asked, 'isHttps'>): string =>
  `${cookieName(choice, isHttps)}=${value}; Path=/; Max-Age=31536000;${isHttps ? ' Secure;' : ''} SameSite=Lax`
