import { make, own } from './dom.js'
import { type Mailing, objectsFor, placeOf } from './mailing.js'
import type { ListedRecipient } from './recipients-file.js'
import { texts } from './texts.js'

/** The line of a table for a recipient: as it was read, and what became of it. */
export function lineOf(recipient: ListedRecipient, row: number, all: Mailing, hasFiles: boolean): HTMLElement {
  const { line, written, to, comment = '', deadline, problem, file, writtenFile } = recipient
  const state = make('td', { 'data-state': String(row) })
  if (problem !== undefined) state.append(make('span', { class: 'chip bad' }, texts.listProblem[problem]))
  else fillState(state, row, all)
  return make(
    'tr',
    {},
    make('td', {}, String(line)),
    make(
      'th',
      { scope: 'row' },
      own(to === undefined ? written : `${texts.party[to.startsWith('BIN') ? 'bin' : 'iin']} ${to.slice(3)}`),
    ),
    hasFiles ? make('td', {}, own(file ?? writtenFile ?? '')) : undefined,
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

/** Says what became of each object of a recipient. */
export function fillState(place: HTMLElement, row: number, { states, objects, recipients }: Mailing): void {
  const mine = objectsFor(objects, recipients[row] ?? { line: 0, written: '' })
  place.replaceChildren(
    ...mine.flatMap((at) => {
      const found = states[placeOf(row, at)]
      if (found === undefined) return []
      const look = { sent: 'good', already: 'warn', refused: 'bad' }[found.state]
      const words = make('span', { class: `chip ${look}` }, texts.sentStates[found.state])
      const told = found.outgoingId === undefined ? words : make('a', { href: `/outgoing/${found.outgoingId}` }, words)
      const name = mine.length > 1 ? own(`${objects[at]?.title} `) : undefined
      return [make('div', {}, name, told, found.why === undefined ? undefined : ` ${found.why}`)]
    }),
  )
}

/** Rows of a file that says what became of everything. */
export const resultRows = ({ recipients, objects, states }: Mailing): string[][] => [
  texts.resultHeads,
  ...recipients.flatMap((recipient, row) =>
    objectsFor(objects, recipient).map((at) => {
      const { to = '', comment = '' } = recipient
      const found = states[placeOf(row, at)]
      const address = found?.outgoingId === undefined ? '' : `${location.origin}/outgoing/${found.outgoingId}`
      const state = found === undefined ? '' : texts.sentStates[found.state]
      return [to, objects[at]?.title ?? '', comment, state, found?.why ?? '', address]
    }),
  ),
]
