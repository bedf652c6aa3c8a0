import type { Change, Revision } from '@signed-registry/verifier'
import { make, own } from '../dom.js'
import { look } from '../look.js'
import type { FileTexts } from '../texts/file-en.js'
import { fill } from './fill.js'
import type { ShownFile } from './shown-file.js'
import { nameOf } from './signer-name.js'

/** Changes that are listed after one revision. */
const MAX_CHANGES = 40

/** The signed revisions of a PDF, each with a button that opens it, and between them what was added. */
export function pdfRevisions(file: File, shown: ShownFile): HTMLElement {
  const { revisions, words } = shown
  const signed = revisions.flatMap(({ signatures, timeStamps }, index) =>
    signatures.length + timeStamps.length > 0 ? [index] : [],
  )
  return make(
    'section',
    { class: 'judged' },
    make('h3', {}, words.revisions),
    ...signed.flatMap((index, place) => {
      const next = signed[place + 1]
      const later = revisions.slice(index + 1, next === undefined ? undefined : next + 1)
      return [...revision(file, shown, index), ...addedAfter(later, shown, next === undefined)]
    }),
  )
}

function revision(file: File, shown: ShownFile, index: number): HTMLElement[] {
  const { signatures, revisions, words } = shown
  const { end = 0, timeStamps = [] } = revisions[index] ?? {}
  const by = signatures.filter((one) => one.revision === index + 1).map(nameOf)
  const says = [
    ...(by.length === 0 ? [] : [fill(words.signedBy, by.join('; '))]),
    ...timeStamps.map(() => words.stamped),
  ]
  const number = fill(words.revision, index + 1, revisions.length)
  const place = make('div')
  const button = make('button', { type: 'button', class: 'small', 'aria-label': `${words.openRevision}: ${number}` })
  button.append(words.openRevision)
  button.addEventListener('click', () => {
    void look(place, { blob: file.slice(0, end), name: fill(words.revisionOf, file.name, index + 1) }).then(() =>
      place.querySelector('h3')?.focus(),
    )
  })
  return [
    make('p', { class: 'revision' }, make('strong', {}, number), ' — ', own(says.join(', '))),
    make('p', { class: 'screen-only' }, button),
    place,
  ]
}

/** What was added until the next signed revision, with that, or until the end. */
function addedAfter(later: readonly Revision[], { problems, words }: ShownFile, isLast: boolean): HTMLElement[] {
  const changes = later.flatMap((one) => one.changes)
  const isUncompared =
    later.some((one) => one.changes.length === 0) && problems.some(({ code }) => code === 'revisionNotCompared')
  const isBehind = isLast && problems.some(({ reason }) => reason === 'behindEndOfFile')
  const rows = [
    ...changes.slice(0, MAX_CHANGES).map((one) => change(one, words)),
    ...(isUncompared ? [row('unknown', words.states.seen, words.notCompared)] : []),
    ...(isBehind ? [row('unknown', words.states.seen, words.behindEnd)] : []),
    ...(changes.length > MAX_CHANGES ? [make('li', {}, fill(words.more, changes.length - MAX_CHANGES))] : []),
  ]
  if (rows.length === 0) return [make('p', {}, later.length === 0 ? words.nothingAfter : words.nothingChanged)]
  return [make('p', {}, words.after), make('ul', { class: 'checks' }, ...rows)]
}

function change({ kind, harmless, forbidden, name, page }: Change, words: FileTexts): HTMLElement {
  const [look, state] = forbidden
    ? (['failed', 'forbidden'] as const)
    : harmless
      ? (['passed', 'harmless'] as const)
      : (['unknown', 'seen'] as const)
  const where = [
    ...(name === undefined ? [] : [fill(words.named, name)]),
    ...(page === undefined ? [] : [fill(words.onPage, page)]),
  ]
  return row(look, words.states[state], [words.changes[kind], ...where].join(', '))
}

const row = (look: string, state: string, says: string): HTMLElement =>
  make('li', { class: look }, make('strong', {}, state), ' ', own(says))
