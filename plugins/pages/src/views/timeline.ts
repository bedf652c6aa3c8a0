import { time } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import type { Step, Thread } from '../thread.js'
import type { Visit } from '../visit.js'
import { partyName } from './party.js'

type Kind = keyof Visit['texts']['thread']['kinds']

const LOOKS: Partial<Record<Kind, string>> = {
  signed: 'good',
  accepted: 'good',
  denied: 'bad',
  recalled: 'bad',
  failed: 'bad',
}

/** Delivery within this time is no step of its own. */
const AT_ONCE_MS = 10_000

/** What happened, newest last, with the zone of its times said once. */
export function timeline(visit: Visit, { steps, shortened }: Thread): Html {
  const { thread: text, timeZone } = visit.texts
  return html`<section class="card"><h2>${text.history}</h2><p class="hint">${timeZone}${shortened ? html` ${text.shortened}` : nothing}</p>
<ol class="timeline">${steps.filter((one) => !isSaid(one, steps)).map((one) => step(visit, one, steps))}</ol></section>`
}

/** What was sent at once is not told twice. */
const isSaid = ({ kind, at, to, party }: Step, steps: readonly Step[]): boolean =>
  kind === 'delivered' &&
  steps.some((other) => other.kind === 'sent' && at - other.at < AT_ONCE_MS && (to ?? party) === other.to)

function step(visit: Visit, one: Step, steps: readonly Step[]): Html {
  const { at, party, name, by, byName, to, toName, value } = one
  const kind = kindOf(one, steps)
  return html`<li class="${LOOKS[kind] ?? ''}"><p><strong>${linked(one, visit.texts.thread.kinds[kind])}</strong>
${by === undefined ? nothing : html`${partyName(visit, by, byName)}, `}${party === undefined ? nothing : partyName(visit, party, name)}
${to === undefined ? nothing : html`<span aria-hidden="true">→</span> ${partyName(visit, to, toName)}`}</p>
<p class="hint">${time(visit.language, at)}</p>${value === undefined ? nothing : html`<p class="comment"><bdi>${value}</bdi></p>`}</li>`
}

/** Acceptance by somebody who has not signed is said to be just that. */
function kindOf({ kind, party }: Step, steps: readonly Step[]): Kind {
  if (kind !== 'accepted' || party === undefined) return kind
  return steps.some((other) => other.kind === 'signed' && other.party === party) ? kind : 'acceptedUnsigned'
}

/** A link to the item that was sent, for its sender and its receiver, and to the version that replaces this one. */
function linked({ kind, outgoingId, incomingId, documentId }: Step, label: string): Html | string {
  if (kind === 'replaced' && documentId !== undefined) return html`<a href="/d/${documentId}">${label}</a>`
  if (kind !== 'sent') return label
  if (outgoingId !== undefined) return html`<a href="/outgoing/${outgoingId}">${label}</a>`
  return incomingId === undefined ? label : html`<a href="/incoming/${incomingId}">${label}</a>`
}
