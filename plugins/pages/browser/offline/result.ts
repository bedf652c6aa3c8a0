import { make, own, save, say } from '../dom.js'
import type { EvidenceAnswer, ShownVerdict } from '../evidence/question.js'
import { texts } from '../texts.js'
import { conclusionOf, judgedSignature, LOOKS, worstOf } from '../verdict.js'
import { verdictTexts } from '../verdict-texts.js'
import { offlineTexts } from './texts.js'

/** Shows what the verifier answered about a file; `trusts` tells whether the visitor trusts anybody. */
export function showAnswer(place: HTMLElement, answer: EvidenceAnswer, trusts: boolean): void {
  if ('refused' in answer) {
    const { refused, file } = answer
    const name = file === undefined ? [] : [own(file), ': ']
    say(place, 'bad', make('p', {}, ...name, offlineTexts.refused[refused]))
    return
  }
  const { verdict } = answer
  const conclusion = worstOf(verdict.signatures.map(conclusionOf))
  const isMixed = conclusion === 'valid' && verdict.outcome !== 'proved'
  const notes = verdict.documents
    .filter(({ signed }) => signed === 'nothing')
    .map(({ name }) => make('p', {}, offlineTexts.unsigned(name)))
  if (!trusts) notes.push(make('p', {}, offlineTexts.nobodyTrusted))
  const title = isMixed ? verdictTexts.overall.warn : verdictTexts.titles[conclusion]
  say(place, isMixed ? 'warn' : LOOKS[conclusion], make('h3', {}, title), ...notes, ...signatures(verdict))
  place.append(
    make(
      'section',
      { class: 'report' },
      make('h3', {}, texts.report),
      make('p', { class: 'actions' }, saving(verdict)),
    ),
  )
}

const signatures = ({ signatures: all }: ShownVerdict): HTMLElement[] =>
  all.map((one, at) => {
    const kicker = make('p', { class: 'kicker' }, verdictTexts.number(at + 1, all.length))
    const title = make('p', {}, make('strong', {}, verdictTexts.titles[conclusionOf(one)]))
    return judgedSignature(one, { why: one.refusal?.message, above: all.length === 1 ? [] : [kicker, title] })
  })

/** A button that saves the report, which is a page of its own. */
function saving({ report }: ShownVerdict): HTMLElement {
  const button = make('button', { type: 'button', class: 'small' }, texts.saveReport)
  button.addEventListener('click', () => save(new Blob([report], { type: 'text/html' }), `${texts.report}.html`))
  return button
}
