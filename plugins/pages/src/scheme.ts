/** Colours of pages: as the visitor's system has them, or as they chose. */
export const SCHEMES = ['auto', 'light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

const isScheme = (text: string | null | undefined): text is Scheme => SCHEMES.some((one) => one === text)

const COOKIE = /(?:^|;\s*)scheme=(\w+)(?:;|$)/

/** The colours that an address asks for, if it does. */
export const chosenScheme = (query: URLSearchParams): Scheme | undefined => {
  const chosen = query.get('scheme')
  return isScheme(chosen) ? chosen : undefined
}

/** The colours that somebody chose before, else those of their system. */
export function keptScheme(cookies = ''): Scheme {
  const kept = COOKIE.exec(cookies)?.[1]
  return isScheme(kept) ? kept : 'auto'
}

/** `Set-Cookie` that keeps a choice for a year. */
export const schemeCookie = (scheme: Scheme): string => `scheme=${scheme}; Path=/; Max-Age=31536000; SameSite=Lax`

/** What `dark.css` is for; never for paper. */
export const DARK_MEDIA: Readonly<Record<Scheme, string>> = {
  auto: 'screen and (prefers-color-scheme: dark)',
  light: 'not all',
  dark: 'screen',
}
