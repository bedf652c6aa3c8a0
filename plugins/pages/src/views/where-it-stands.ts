import { digits, time } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import type { Step, Thread } from '../thread.js'
import type { Visit } from '../visit.js'
import { partyName } from './party.js'
import { requirementWords } from './signers.js'

/** Most signers named here: all are below. */
const NAMED = 10

/** What a page knows of its document or package. */
export interface Standing {
  readonly thread: Thread
  /** The page. */
  readonly href: string
  /** What the button says that signs it. */
  readonly signLabel: string
  /** Signatures of a document; where a package is signed, steps say it all. */
  readonly signaturesTotal?: number
  /** When signatures end. */
  readonly signUntil?: number | undefined
}

/** Where it stands: what comes next for the visitor, who has signed, who is awaited. */
export const whereItStands = (visit: Visit, standing: Standing): Html =>
  html`<section class="card stands"><h2>${visit.texts.thread.title}</h2>${nextForVisitor(visit, standing)}
<div class="sides">${signed(visit, standing)}${awaited(visit, standing.thread)}</div>
${until(visit, standing)}</section>`

/** What the visitor has done, and the one thing to do next. */
function nextForVisitor(visit: Visit, { thread, href, signLabel }: Standing): Html {
  const { thread: text } = visit.texts
  const { you, awaited } = thread
  if (you === undefined) return nothing
  const { next, signedAt, incomingId: item } = you
  const done =
    signedAt === undefined
      ? nothing
      : html`<p class="verdict good">${text.youSigned} ${time(visit.language, signedAt)}</p>`
  const main = (words: string, target: string, label: string) =>
    html`${done}<p class="next">${words}</p><p class="actions"><a class="button strong" href="${target}">${label}</a></p>`
  if (next === 'sign') return main(text.sign, `${href}/sign${item === undefined ? '' : `?incoming=${item}`}`, signLabel)
  if (next === 'decide') return main(text.decide, `/incoming/${item}`, text.open)
  if (next === 'wait') return html`${done}<p class="next">${text.waiting} ${waitedFor(visit, thread)}</p>`
  return html`${done}${awaited.length > 0 || signedAt === undefined ? nothing : html`<p class="muted">${text.nothing}</p>`}`
}

/** Whoever is awaited next: signers in turn, else those to whom the visitor sent it and who have not answered. */
function waitedFor(visit: Visit, { awaited, steps }: Thread): Html {
  const inTurn = awaited.filter(({ next }) => next).map((one) => awaitedName(visit, one))
  const asked =
    inTurn.length > 0 ? inTurn : unanswered(steps).map(({ to = '', toName }) => partyName(visit, to, toName))
  const all = asked.length > 0 ? asked : awaited.slice(0, 1).map((one) => awaitedName(visit, one))
  return html`${all.map((name, at) => html`${at === 0 ? '' : ', '}${name}`)}`
}

const ANSWERS: readonly Step['kind'][] = ['accepted', 'denied', 'recalled', 'failed']

/** Steps by which the visitor sent something that has no answer yet. */
function unanswered(steps: readonly Step[]): Step[] {
  const answered = steps.filter(({ kind }) => ANSWERS.includes(kind)).map(({ outgoingId }) => outgoingId)
  return steps.filter(
    ({ kind, to, outgoingId }) =>
      kind === 'sent' && to !== undefined && outgoingId !== undefined && !answered.includes(outgoingId),
  )
}

function signed(visit: Visit, { thread, signaturesTotal = 0 }: Standing): Html {
  const { thread: text } = visit.texts
  const all = thread.steps.filter(({ kind }) => kind === 'signed')
  const rest = Math.max(signaturesTotal, all.length) - Math.min(all.length, NAMED)
  return html`<div><h3>${text.signed}</h3>${
    all.length === 0
      ? html`<p class="muted">${text.nobody}</p>`
      : html`<ul class="people">${all.slice(0, NAMED).map((one) => html`<li class="is-done">${signer(one)}${part(visit, one)} <small>${time(visit.language, one.at)}</small></li>`)}</ul>${rest > 0 ? html`<p class="muted">${text.more(rest)}</p>` : nothing}`
  }</div>`
}

/** A person, and the organization that they signed for. */
const signer = ({ party = '', name, by, byName }: Step): Html =>
  by === undefined
    ? html`<bdi>${name ?? digits(party)}</bdi>`
    : html`<bdi>${byName ?? digits(by)}</bdi>, <bdi>${name ?? digits(party)}</bdi>`

/** How many documents of a package were signed, where it was not all. */
const part = ({ texts }: Visit, { documentsIds }: Step): Html =>
  documentsIds === undefined ? nothing : html` <small>(${texts.package.documents(documentsIds.length)})</small>`

function awaited(visit: Visit, { awaited: all }: Thread): Html {
  const { thread: text } = visit.texts
  if (all.length === 0) return nothing
  const inTurn = (one: Thread['awaited'][number]) =>
    one.next && one.order !== undefined ? html` <small class="chip warn">${text.inTurn}</small>` : nothing
  const items = all.map((one) => html`<li>${awaitedName(visit, one)}${inTurn(one)}</li>`)
  // Numbers are an order.
  const list = all.some(({ order }) => order !== undefined)
    ? html`<ol class="people" start="${all[0]?.order ?? 1}">${items}</ol>`
    : html`<ul class="people">${items}</ul>`
  return html`<div><h3>${text.awaited}</h3>${list}</div>`
}

/** Who is awaited, by name if it is known, and by requirement. */
export function awaitedName(visit: Visit, one: Thread['awaited'][number]): Html {
  const words = requirementWords(visit, one)
  return one.name === undefined ? html`<span>${words}</span>` : html`<bdi>${one.name}</bdi> <small>${words}</small>`
}

function until(visit: Visit, { signUntil }: Standing): Html {
  if (signUntil === undefined) return nothing
  const { thread: text } = visit.texts
  const isOver = signUntil <= visit.use.clock.now()
  return html`<p class="${isOver ? 'note' : 'hint'}">${isOver ? text.untilOver : text.until} ${time(visit.language, signUntil)}</p>`
}
