import { isProblem } from '@signed-registry/client'
import { client, failureText, Told } from './api.js'
import { newKey } from './bytes.js'
import { byId, dataOf, make, onFiles, own, progressBar, save, say, show } from './dom.js'
import {
  dismissMailing,
  keepMailing,
  keptMailing,
  type Mailing,
  placeOf,
  type SentObject,
  type SentState,
} from './mailing.js'
import { csvOf, type ListedRecipient, recipientsIn, textOf } from './recipients-file.js'
import { askAgain } from './retry.js'
import { onSubmit } from './submit.js'
import { texts } from './texts.js'

const MAX_ROWS = 1000
/** Pauses before a request that the registry is too busy for is repeated by itself. */
const PAUSES_MS = [2_000, 5_000, 15_000, 30_000, 60_000]

const objects = dataOf<readonly SentObject[]>('objects')
const form = byId('send-many', HTMLFormElement)
const list = byId('recipients', HTMLElement)
const progress = byId('progress', HTMLElement)
const stop = byId('stop', HTMLButtonElement)
const result = byId('result', HTMLButtonElement)
const anew = byId('anew', HTMLButtonElement)

let mailing = keptMailing(objects)
let isStopped = false

onFiles('list', ([file]) => {
  if (file !== undefined) void take(file)
})
stop.addEventListener('click', () => {
  isStopped = true
})
result.addEventListener('click', () => {
  if (mailing !== undefined) save(new Blob([csvOf(resultRows(mailing))], { type: 'text/csv' }), 'recipients.csv')
})
anew.addEventListener('click', () => {
  dismissMailing()
  mailing = undefined
  progress.replaceChildren()
  showAll()
})
onSubmit(form, progress, async () => {
  if (mailing === undefined) throw new Told(texts.chooseList)
  if (mailing.recipients.some(({ problem }) => problem !== undefined)) throw new Told(texts.listHasFaults)
  const isBegun = Object.keys(mailing.states).length > 0
  await sendAll(isBegun ? mailing : { ...mailing, toSign: new FormData(form).get('wanted') === 'sign' })
  return undefined
})
showAll()

/** Takes a list: every row is checked before anything is sent. */
async function take(file: File): Promise<void> {
  const recipients = recipientsIn(textOf(new Uint8Array(await file.arrayBuffer())), Date.now())
  const sendings = recipients.length * objects.length
  if (recipients.length === 0 || sendings > MAX_ROWS) {
    say(
      progress,
      'bad',
      make('p', {}, recipients.length === 0 ? texts.listIsEmpty : texts.listTooLong(MAX_ROWS, sendings)),
    )
    return show(progress)
  }
  mailing = { key: newKey(), objects, recipients, toSign: true, states: {} }
  const faults = recipients.filter(({ problem }) => problem !== undefined).length
  if (faults === 0) say(progress, 'plain', make('p', {}, texts.listIsRight(recipients.length)))
  else say(progress, 'bad', make('p', {}, texts.listFaults(faults)))
  showAll()
}

async function sendAll(begun: Mailing): Promise<void> {
  isStopped = false
  stop.hidden = false
  const bar = progressBar(texts.sendingMany)
  const left = make('p', {})
  const total = begun.recipients.length * objects.length
  mailing = keepMailing(begun)
  try {
    for (const [row, recipient] of begun.recipients.entries())
      for (const [at, object] of objects.entries()) {
        const place = placeOf(row, at)
        const state = mailing.states[place]
        if (isStopped || (state !== undefined && state.state !== 'refused')) continue
        const done = Object.keys(mailing.states).length
        left.textContent = texts.sentOf(done, total)
        bar.to(done / total)
        if (!bar.element.isConnected) say(progress, 'busy', left, bar.element)
        const outcome = await sendOne(mailing, recipient, object, place)
        mailing = keepMailing({ ...mailing, states: { ...mailing.states, [place]: outcome } })
        showState(row, mailing)
      }
  } finally {
    stop.hidden = true
    showAll()
  }
  const states = Object.values(mailing.states)
  const refused = states.filter(({ state }) => state === 'refused').length
  const isFinished = states.length === total
  say(
    progress,
    isFinished ? (refused === 0 ? 'good' : 'warn') : 'plain',
    make('p', {}, isFinished ? texts.sentAll(total - refused, refused) : texts.sentOf(states.length, total)),
  )
}

/** Sends one object to one recipient; what may pass is repeated by itself for a while, and then when the person asks. */
async function sendOne(
  { key, toSign }: Mailing,
  { to = '', comment, deadline }: ListedRecipient,
  { kind, id }: SentObject,
  place: string,
): Promise<SentState> {
  const request = { to, ...(comment && { comment }), ...(toSign && { toSign }), ...(deadline && { deadline }) }
  const once = { idempotencyKey: `${key}-${place}` }
  const ask = () =>
    kind === 'package'
      ? client.sendPackage({ packageId: id, request }, once)
      : client.sendDocument({ id, request }, once)
  try {
    const { outgoingId } = await askAgain(progress, () => patiently(ask))
    return { state: 'sent', outgoingId }
  } catch (error) {
    if (isProblem(error, 'alreadySent')) return { state: 'already' }
    return { state: 'refused', why: await failureText(error) }
  }
}

async function patiently<T>(ask: () => Promise<T>): Promise<T> {
  for (const pause of PAUSES_MS) {
    try {
      return await ask()
    } catch (error) {
      if (isStopped || !isProblem(error) || (error.status !== 429 && error.status !== 503)) throw error
      const ms = Math.max(pause, (error.retryAfter ?? 0) * 1000)
      await new Promise((resolve) => setTimeout(resolve, ms))
    }
  }
  return ask()
}

function showAll(): void {
  const isBegun = mailing !== undefined && Object.keys(mailing.states).length > 0
  byId('choice', HTMLElement).hidden = isBegun
  list.closest('table')?.toggleAttribute('hidden', mailing === undefined)
  result.hidden = !isBegun
  anew.hidden = mailing === undefined
  const all = mailing
  list.replaceChildren(...(all?.recipients ?? []).map((recipient, row) => lineOf(recipient, row, all)))
}

function lineOf(recipient: ListedRecipient, row: number, all: Mailing | undefined): HTMLElement {
  const { line, written, to, comment = '', deadline, problem } = recipient
  const state = make('td', { 'data-state': String(row) })
  if (problem !== undefined) state.append(make('span', { class: 'chip bad' }, texts.listProblem[problem]))
  else if (all !== undefined) fillState(state, row, all)
  return make(
    'tr',
    {},
    make('td', {}, String(line)),
    make(
      'th',
      { scope: 'row' },
      own(to === undefined ? written : `${texts.party[to.startsWith('BIN') ? 'bin' : 'iin']} ${to.slice(3)}`),
    ),
    make('td', {}, own(comment)),
    make(
      'td',
      {},
      deadline === undefined
        ? ''
        : new Date(deadline).toLocaleDateString(document.documentElement.lang, { timeZone: 'Etc/GMT-5' }),
    ),
    state,
  )
}

function showState(row: number, all: Mailing): void {
  const place = list.querySelector<HTMLElement>(`[data-state="${row}"]`)
  if (place !== null) fillState(place, row, all)
}

function fillState(place: HTMLElement, row: number, { states }: Mailing): void {
  place.replaceChildren(
    ...objects.flatMap(({ title }, at) => {
      const found = states[placeOf(row, at)]
      if (found === undefined) return []
      const look = { sent: 'good', already: 'warn', refused: 'bad' }[found.state]
      const words = make('span', { class: `chip ${look}` }, texts.sentStates[found.state])
      const told = found.outgoingId === undefined ? words : make('a', { href: `/outgoing/${found.outgoingId}` }, words)
      const name = objects.length > 1 ? own(`${title} `) : undefined
      return [make('div', {}, name, told, found.why === undefined ? undefined : ` ${found.why}`)]
    }),
  )
}

const resultRows = ({ recipients, states }: Mailing): string[][] => [
  texts.resultHeads,
  ...recipients.flatMap(({ to = '', comment = '' }, row) =>
    objects.map(({ title }, at) => {
      const found = states[placeOf(row, at)]
      const address = found?.outgoingId === undefined ? '' : `${location.origin}/outgoing/${found.outgoingId}`
      return [to, title, comment, found === undefined ? '' : texts.sentStates[found.state], found?.why ?? '', address]
    }),
  ),
]
