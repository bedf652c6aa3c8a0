import type { RecordReport } from '@signed-registry/verifier'
import { make, own } from '../dom.js'
import { fact, lines, timeOf } from './facts.js'
import type { ShownBundle } from './question.js'

/** What evidence records prove of signatures, apart from these and from what only the registry says. */
export function recordsSay({ records, label }: Pick<ShownBundle, 'records' | 'label'>): HTMLElement[] {
  if (records.length === 0) return []
  const content = records.flatMap((one) => [
    make('h4', {}, own(`${label.signature} ${one.signId}`)),
    ...recordContent(one, label),
  ])
  return [make('section', { class: 'judged' }, make('h3', {}, label.records), ...content)]
}

function recordContent({ says, state, file, proof }: RecordReport, label: ShownBundle['label']): HTMLElement[] {
  const told = make('p', {}, state === 'wrong' ? make('strong', {}, says) : says)
  if (proof === undefined) return [told, make('p', {}, `${label.file}: `, make('code', {}, own(file)))]
  const { existedAt, holdsUntil, holdsUntilSays, chains } = proof
  const facts = make(
    'dl',
    { class: 'facts' },
    fact(label.existedAt, make('strong', {}, timeOf(existedAt))),
    fact(label.holdsUntil, holdsUntil === undefined ? holdsUntilSays : timeOf(holdsUntil)),
    fact(
      label.recordChains,
      lines(...chains.map(({ algorithm, oid, stamps }) => `${algorithm ?? oid}: ${stamps.map(timeOf).join('; ')}`)),
    ),
  )
  return [told, facts]
}
