import type { LogReport } from '@signed-registry/verifier'
import { make, own } from '../dom.js'
import { fact, lines, timeOf } from './facts.js'
import type { ShownBundle } from './question.js'

/** What the transparency log proves, apart from signatures and from what only the registry says. */
export function logSays({ log, label }: Pick<ShownBundle, 'log' | 'label'>): HTMLElement[] {
  if (log.length === 0) return []
  const entries = log.flatMap((one) => [make('h4', {}, own(titleOf(one, label))), ...entryContent(one, label)])
  return [make('section', { class: 'judged' }, make('h3', {}, label.log), ...entries)]
}

type Labels = ShownBundle['label']

const titleOf = ({ documentId, signId }: LogReport, label: Labels): string =>
  signId === undefined ? `${label.hashes}: ${documentId}` : `${label.signature} ${signId}`

function entryContent({ says, state, file, reason, entry }: LogReport, label: Labels): HTMLElement[] {
  const isBad = state === 'wrong' || state === 'changed' || entry?.contradiction !== undefined
  const told = make('p', {}, isBad ? make('strong', {}, says) : says)
  if (entry === undefined)
    return reason === undefined ? [told] : [told, make('p', {}, make('code', {}, own(file ?? '')))]
  const { origin, index, size, loggedAfter, loggedBefore, timeSays, notLogged } = entry
  const { witnesses, trustSays, problems, contradiction } = entry
  const seen = witnesses.map(({ name, time }) => `${name}, ${timeOf(time)}`)
  const facts = make(
    'dl',
    { class: 'facts' },
    fact(label.logEntry, lines(`${index} / ${size}`, origin)),
    ...(loggedAfter === undefined ? [] : [fact(label.loggedAfter, timeOf(loggedAfter))]),
    fact(label.loggedBefore, loggedBefore === undefined ? (timeSays ?? '') : timeOf(loggedBefore)),
    ...(notLogged === undefined ? [] : [fact(label.hashesNotLogged, lines(...notLogged))]),
    fact(label.witnesses, seen.length === 0 ? label.none : lines(...seen)),
    fact(label.trust, lines(trustSays, ...problems.map((problem) => problem.says))),
    ...(contradiction === undefined ? [] : [fact(label.registered, make('strong', {}, contradiction))]),
  )
  return [told, facts]
}
