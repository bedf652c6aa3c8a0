import { make, own } from '../dom.js'
import { verdictTexts } from '../verdict-texts.js'
import { fill } from './fill.js'
import type { DocumentOfFile, ShownFile } from './shown-file.js'
import { nameOf } from './signer-name.js'

/** The files of a container: who signed each, and those that nobody signed. */
export const containerFiles = (shown: ShownFile): HTMLElement =>
  make(
    'section',
    { class: 'judged' },
    make('h3', {}, shown.words.files),
    make('ul', { class: 'checks' }, ...shown.documents.map((one) => row(one, shown))),
  )

function row({ name, signatures }: DocumentOfFile, { signatures: all, words }: ShownFile): HTMLElement {
  const over = signatures.flatMap((place) => all[place] ?? [])
  const state = over.some(({ indication }) => indication === 'TOTAL-FAILED')
    ? 'failed'
    : over.length > 0 && over.every(({ indication }) => indication === 'TOTAL-PASSED')
      ? 'passed'
      : 'unknown'
  const by = over.length === 0 ? words.nobody : fill(words.signedBy, [...new Set(over.map(nameOf))].join('; '))
  return make('li', { class: state }, make('strong', {}, verdictTexts.states[state]), ' ', own(name), ` — ${by}`)
}
