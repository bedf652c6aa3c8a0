import { cookieName, type PageRequest, readCookie } from '@signed-registry/core'

/** What visitors choose for a year: how pages look to them. */
type Choice = 'lang' | 'scheme'
type Asked = Pick<PageRequest, 'isHttps' | 'header'>

/** What the browser of a request keeps of a choice. */
export const keptChoice = (choice: Choice, { isHttps, header }: Asked): string | undefined =>
  readCookie(header('cookie'), cookieName(choice, isHttps))

/** `Set-Cookie` that keeps a choice. */
export const choiceCookie = (choice: Choice, value: string, { isHttps }: Pick<Asked, 'isHttps'>): string =>
  `${cookieName(choice, isHttps)}=${value}; Path=/; Max-Age=31536000;${isHttps ? ' Secure;' : ''} SameSite=Lax`
