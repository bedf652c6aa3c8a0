/** Colour scheme of pages: that of the visitor's system, or the chosen one. */
export const SCHEMES = ['auto', 'light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

const isScheme = (text: string | null | undefined): text is Scheme => SCHEMES.some((one) => one === text)

/** The scheme in the query, if any. */
export const chosenScheme = (query: URLSearchParams): Scheme | undefined => {
  const chosen = query.get('scheme')
  return isScheme(chosen) ? chosen : undefined
}

/** The scheme in the cookie, or else that of the system. */
export const keptScheme = (kept: string | undefined): Scheme => (isScheme(kept) ? kept : 'auto')

/** The media query of `dark.css`; never for print. */
export const DARK_MEDIA: Readonly<Record<Scheme, string>> = {
  auto: 'screen and (prefers-color-scheme: dark)',
  light: 'not all',
  dark: 'screen',
}
