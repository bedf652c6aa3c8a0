import { requestErrors } from '../kernel/request-errors.js'
import type { CardLanguage } from './ports.js'

const LANGUAGES: ReadonlySet<string> = new Set<CardLanguage>(['ru', 'kk', 'en'])
const isLanguage = (tag: string): tag is CardLanguage => LANGUAGES.has(tag)

/** One or more languages, such as `kk/ru/en`; `ru` by default. */
export function languagesOf(tag = 'ru'): readonly CardLanguage[] {
  const languages = tag.split('/')
  if (new Set(languages).size < languages.length || !languages.every(isLanguage)) {
    throw requestErrors.error('invalidQueryParameter', {
      part: 'querystring',
      path: '/language',
      problem: 'must be ru, kk, en, or several of them such as kk/ru/en',
    })
  }
  return languages
}
