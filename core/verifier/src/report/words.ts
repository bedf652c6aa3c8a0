import type { ReportLanguage, ReportWords } from './report-words.js'
import { en } from './words-en.js'
import { kk } from './words-kk.js'
import { ru } from './words-ru.js'

/** The words of each language. */
export const reportWords: Readonly<Record<ReportLanguage, ReportWords>> = { en, ru, kk }
