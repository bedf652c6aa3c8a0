import { make, own, say } from '../dom.js'
import type { EvidenceAnswer, ShownVerdict } from '../evidence/question.js'
import { BUNDLE_LOOKS, bundleBody, savingReport } from '../evidence/show-bundle.js'
import { notReadFile, signedFile } from '../files/show-file.js'
import type { SignedFileAnswer } from '../files/shown-file.js'
import { conclusionOf, judgedSignature, LOOKS, worstOf } from '../verdict.js'
import { verdictTexts } from '../verdict-texts.js'
import { offlineTexts } from './texts.js'

/** Shows what the verifier answered about a file; `trusts` tells whether the visitor trusts anybody. */
export function showAnswer(place: HTMLElement, answer: EvidenceAnswer, trusts: boolean): void {
  if ('refused' in answer) {
    sayRefusal(place, answer)
    return
  }
  const { verdict } = answer
  const { bundle } = verdict
  const notes = trusts ? [] : [make('p', {}, offlineTexts.nobodyTrusted)]
  if (bundle === undefined) showSignatures(place, verdict, notes)
  else {
    const title = make('h3', {}, bundle.says)
    say(place, BUNDLE_LOOKS[verdict.outcome], title, ...notes, ...bundleBody({ ...verdict, bundle }))
  }
  place.append(savingReport(verdict))
}

/** Shows what it answered about a signed file. */
export function showFile(place: HTMLElement, file: File, answer: SignedFileAnswer, trusts: boolean): void {
  if ('refused' in answer || 'unsigned' in answer) {
    if ('refused' in answer) sayRefusal(place, answer)
    return
  }
  const { look, title, body } = 'notRead' in answer ? notReadFile(answer.notRead) : signedFile(file, answer.file)
  const note = trusts || 'notRead' in answer ? undefined : make('p', {}, offlineTexts.nobodyTrusted)
  say(place, look, make('h3', {}, title), note, ...body)
}

function sayRefusal(
  place: HTMLElement,
  { refused, file }: Extract<EvidenceAnswer, { readonly refused: string }>,
): void {
  const name = file === undefined ? [] : [own(file), ': ']
  say(place, 'bad', make('p', {}, ...name, offlineTexts.refused[refused]))
}

function showSignatures(place: HTMLElement, verdict: ShownVerdict, notes: readonly HTMLElement[]): void {
  const conclusion = worstOf(verdict.signatures.map(conclusionOf))
  const isMixed = conclusion === 'valid' && verdict.outcome !== 'proved'
  const unsigned = verdict.documents
    .filter(({ signed }) => signed === 'nothing')
    .map(({ name }) => make('p', {}, offlineTexts.unsigned(name)))
  const title = isMixed ? verdictTexts.overall.warn : verdictTexts.titles[conclusion]
  const look = isMixed ? 'warn' : LOOKS[conclusion]
  say(place, look, make('h3', {}, title), ...unsigned, ...notes, ...signatures(verdict))
}

const signatures = ({ signatures: all }: ShownVerdict): HTMLElement[] =>
  all.map((one, at) => {
    const kicker = make('p', { class: 'kicker' }, verdictTexts.number(at + 1, all.length))
    const title = make('p', {}, make('strong', {}, verdictTexts.titles[conclusionOf(one)]))
    return judgedSignature(one, { why: one.refusal?.message, above: all.length === 1 ? [] : [kicker, title] })
  })
