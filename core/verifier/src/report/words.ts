import { en, type ReportLanguage, type ReportWords } from './words-en.js'
import { kk } from './words-kk.js'
import { ru } from './words-ru.js'

/** The words of each language. */
export const reportWords: Readonly<Record<ReportLanguage, ReportWords>> = { en, ru, kk }
