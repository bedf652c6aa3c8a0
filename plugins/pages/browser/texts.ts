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
/** The language that reports are written in. */
export const reportLanguage = language === 'kk' || language === 'en' ? language : 'ru'
