import { language } from '../texts.js'
import type { OfflineTexts } from './texts/en.js'

const module: { readonly offlineTexts: OfflineTexts } =
  language === 'kk'
    ? await import('./texts/kk.js')
    : language === 'en'
      ? await import('./texts/en.js')
      : await import('./texts/ru.js')

/** What the page for checking without a network says. */
export const offlineTexts: OfflineTexts = module.offlineTexts
