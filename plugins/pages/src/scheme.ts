/** Colours of pages: as the visitor's system has them, or as they chose. */
export const SCHEMES = ['auto', 'light', 'dark'] as const
export type Scheme = (typeof SCHEMES)[number]

const isScheme = (text: string | null | undefined): text is Scheme => SCHEMES.some((one) => one === text)

/** The colours that an address asks for, if it does. */
export const chosenScheme = (query: URLSearchParams): Scheme | undefined => {
  const chosen = query.get('scheme')
  return isScheme(chosen) ? chosen : undefined
}

/** The colours that somebody chose before, else those of their system. */
export const keptScheme = (kept: string | undefined): Scheme => (isScheme(kept) ? kept : 'auto')

/** What `dark.css` is for; never for paper. */
export const DARK_MEDIA: Readonly<Record<Scheme, string>> = {
  auto: 'screen and (prefers-color-scheme: dark)',
  light: 'not all',
  dark: 'screen',
}
