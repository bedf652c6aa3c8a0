import { en, type Texts } from './texts/en.js'
import { kk } from './texts/kk.js'
import { ru } from './texts/ru.js'

/** Languages of pages, in the order in which they are offered. */
export const LANGUAGES = ['kk', 'ru', 'en'] as const
export type Language = (typeof LANGUAGES)[number]

/** What each language calls itself. */
export const LANGUAGE_NAMES: Readonly<Record<Language, string>> = { kk: 'Қазақша', ru: 'Русский', en: 'English' }

/** Texts of the pages by language; those of scripts are in `browser/texts`. */
export const TEXTS: Readonly<Record<Language, Texts>> = { kk, ru, en }

export const isLanguage = (text: string | null | undefined): text is Language => LANGUAGES.some((one) => one === text)

/** The first known language in a list such as `kk/en`. */
const firstOf = (tag: string | null | undefined): Language | undefined => tag?.split('/').find(isLanguage)

/** The chosen language, or else the first known one of the browser, or else Russian. */
export function languageOf(chosen: string | null, kept: string | undefined, accepted = ''): Language {
  const named = firstOf(chosen) ?? firstOf(kept)
  if (named !== undefined) return named
  const wanted = accepted.split(',').map((entry) => {
    const [tag = '', quality = ''] = entry.trim().split(/\s*;\s*q=/)
    return { language: tag.slice(0, 2).toLowerCase(), quality: quality === '' ? 1 : Number(quality) || 0 }
  })
  const best = wanted.filter(({ quality }) => quality > 0).sort((a, b) => b.quality - a.quality)
  return best.map(({ language }) => language).find(isLanguage) ?? 'ru'
}
