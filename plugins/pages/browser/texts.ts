import type { LiveTexts } from './texts/en.js'

const { lang } = document.documentElement
const module: { readonly texts: LiveTexts } =
  lang === 'kk'
    ? await import('./texts/kk.js')
    : lang === 'en'
      ? await import('./texts/en.js')
      : await import('./texts/ru.js')

/** What scripts say, in the language of the page. */
export const texts: LiveTexts = module.texts
export const language = lang
