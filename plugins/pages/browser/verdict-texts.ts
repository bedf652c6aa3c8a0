import type { VerdictTexts } from './texts/verdict-en.js'
import { language } from './texts.js'

const module: { readonly verdictTexts: VerdictTexts } =
  language === 'kk'
    ? await import('./texts/verdict-kk.js')
    : language === 'en'
      ? await import('./texts/verdict-en.js')
      : await import('./texts/verdict-ru.js')

/** What is said of signatures that are judged here, in the language of the page. */
export const verdictTexts: VerdictTexts = module.verdictTexts
