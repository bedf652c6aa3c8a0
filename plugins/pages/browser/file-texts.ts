import type { FileTexts } from './texts/file-en.js'
import { language } from './texts.js'

const module: { readonly fileTexts: FileTexts } =
  language === 'kk'
    ? await import('./texts/file-kk.js')
    : language === 'en'
      ? await import('./texts/file-en.js')
      : await import('./texts/file-ru.js')

/** What is said of signed files, in the language of the page. */
export const fileTexts: FileTexts = module.fileTexts
