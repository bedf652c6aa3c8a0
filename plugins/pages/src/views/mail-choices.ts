import type { UserSettings } from '@signed-registry/client'
import { type Html, html, nothing, raw } from '../html.js'
import { isLanguage, LANGUAGE_NAMES } from '../language.js'
import type { Visit } from '../visit.js'
import { tick } from './controls.js'

/** Languages of mails that are offered, alone or one below the other. */
const OFFERED = ['kk', 'ru', 'en', 'kk/ru', 'ru/kk']

/** The names of the languages in a tag such as `kk/ru`. */
export const languagesIn = (tag: string): string =>
  tag
    .split('/')
    .map((one) => (isLanguage(one) ? LANGUAGE_NAMES[one] : one))
    .join(' / ')

/** In which language a person wants mails, and which of those about items. */
export function mailChoices(
  { texts: { mailChoices: text } }: Visit,
  { notificationsLanguage, notificationsOff }: Pick<UserSettings, 'notificationsLanguage' | 'notificationsOff'>,
): Html {
  const tags = new Set(['', ...OFFERED, notificationsLanguage])
  const off = new Set<string>(notificationsOff)
  return html`<div class="field"><label for="notificationsLanguage">${text.language}</label><select id="notificationsLanguage" name="notificationsLanguage">
${[...tags].map((tag) => html`<option value="${tag}"${tag === notificationsLanguage ? raw(' selected') : nothing}>${tag === '' ? text.ofService : languagesIn(tag)}</option>`)}</select></div>
<fieldset class="inner" aria-describedby="wanted-hint"><legend>${text.wanted}</legend><p class="hint" id="wanted-hint">${text.hint}</p>
${Object.entries(text.kinds).map(([kind, label]) => tick(`mail-${kind}`, label, !off.has(kind)))}</fieldset>`
}
