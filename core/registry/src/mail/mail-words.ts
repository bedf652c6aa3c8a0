import type { Language } from './render-mail.js'
import { en, type Words } from './words-en.js'
import { kk } from './words-kk.js'
import { ru } from './words-ru.js'

/** The words of mails by language. */
export const mailWords: Readonly<Record<Language, Words>> = { ru, kk, en }
