import type { NotificationRecord } from '@signed-registry/core'
import { time } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import { unlessRefused } from '../unless-refused.js'
import type { Visit } from '../visit.js'

/** Reads a page of the mail log: mails before a time, or the newest. */
type Read = (query: { until?: number }) => Promise<{ readonly notifications: readonly NotificationRecord[] }>

/** Mails about an object that the visitor had sent, and their outcome; `?mails=` pages back by time. */
export async function mails(visit: Visit, read: Read): Promise<Html> {
  const { caller, query, texts, url } = visit
  if (caller.kind !== 'person' && caller.kind !== 'employee') return nothing
  const until = Number(query.get('mails') ?? 0)
  const isOlder = Number.isSafeInteger(until) && until > 0
  const { notifications = [] } = (await unlessRefused(read(isOlder ? { until } : {}))) ?? {}
  const last = notifications.at(-1)?.createdAt
  if (last === undefined && !isOlder) return nothing
  const [path = ''] = url.split('?')
  return html`<details class="card" id="mails"${isOlder ? html` open` : nothing}><summary>${texts.notify.record}</summary>
${last === undefined ? html`<p>${texts.lists.none}</p>` : html`<ol class="rows">${notifications.map((one) => mail(visit, one))}</ol>`}
<p class="pager">${isOlder ? html`<a class="button" href="${path}#mails">${texts.lists.newest}</a>` : nothing}
${last === undefined ? nothing : html`<a class="button" rel="next" href="${path}?mails=${last}#mails">${texts.lists.older}</a>`}</p></details>`
}

const LOOK: Readonly<Record<NotificationRecord['state'], string>> = {
  waiting: '',
  sent: ' good',
  refused: ' bad',
  withheld: ' warn',
  failed: ' bad',
}

function mail({ texts, language }: Visit, { to, state, createdAt, sentAt, ...one }: NotificationRecord): Html {
  const { notify: text } = texts
  const reasons = [...new Set(one.notAttached.map(({ reason }) => text.missing[reason]))]
  const why = one.mailboxNotFound ? text.noMailbox : one.code === undefined ? '' : `${text.code} ${one.code}`
  return html`<li><bdi>${to}</bdi> <span class="chip${LOOK[state]}">${text.states[state]}</span>
<span class="hint">${time(language, sentAt ?? createdAt)}${why === '' ? nothing : `, ${why}`}${one.attached > 0 ? `, ${text.attached(one.attached)}` : nothing}${reasons.length === 0 ? nothing : `; ${text.notAttached} ${reasons.join(', ')}`}</span></li>`
}
