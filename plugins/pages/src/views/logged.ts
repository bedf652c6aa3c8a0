import { count, time } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import type { Logged } from '../logged.js'
import type { Visit } from '../visit.js'
import { fact, facts } from './controls.js'

/** Since when a signature is in the transparency log, or that it is not; nothing where there is no log. */
export function loggedFact({ language, texts: { log: text } }: Visit, logged: Logged): Html {
  const { state, index, signedAt, loggedBefore, witnesses = [] } = logged
  if (state === 'off' || state === 'changed') return nothing
  if (state !== 'logged') return fact(text.name, text.states[state])
  const since = loggedBefore ?? signedAt
  return fact(
    text.since,
    html`${since === undefined ? nothing : html`${time(language, since)}, `}${text.entry(count(language, index ?? 0))}${
      witnesses.length === 0
        ? nothing
        : html`, ${text.witnesses} <bdi>${witnesses.map(({ name }) => name).join(', ')}</bdi>`
    }${loggedBefore === undefined ? html` <span class="muted">(${text.unstamped})</span>` : nothing}`,
  )
}

/** Says that a signature is not what was logged. */
export const loggedAlarm = ({ texts: { log } }: Visit): Html =>
  html`<div class="said bad"><h3>${log.changed}</h3><p>${log.changedText}</p></div>`

/** What the log proves, how anybody can check it, and the proof to download; nothing of what is not in the log. */
export function logDetails({ texts: { log } }: Visit, path: string, logged: Logged): Html {
  const { state, address, verifierKey } = logged
  if (state !== 'logged') return nothing
  return html`<details><summary>${log.details}</summary>
<p class="note">${log.proves}</p><p class="note">${log.provesNot}</p><p class="note">${log.check}</p>
${facts(
  address === undefined ? nothing : fact(log.address, html`<code>${address}</code>`),
  verifierKey === undefined ? nothing : fact(log.key, html`<code>${verifierKey}</code>`),
)}
<a class="button small" href="${path}/inclusion">${log.download}</a></details>`
}
