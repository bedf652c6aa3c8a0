import { language } from './texts.js'

/** UTC+5, as the pages state. Numeric, since not every browser knows Kazakh. */
const [locale, dateStyle] = language === 'en' ? (['en', 'medium'] as const) : (['ru', 'short'] as const)
const zone = { timeZone: 'Etc/GMT-5' }
const moments = new Intl.DateTimeFormat(locale, { dateStyle, timeStyle: 'short', ...zone })
const days = new Intl.DateTimeFormat(locale, { dateStyle, ...zone })

/** A moment in the language of the page. */
export const moment = (ms: number): string => moments.format(ms)

/** A day in the language of the page. */
export const day = (ms: number): string => days.format(ms)
