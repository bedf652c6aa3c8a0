import { type CheckedDdc, isProblem } from '@signed-registry/client'
import { client, sayFailure } from './api.js'
import { fromBase64 } from './bytes.js'
import { make, own, progressBar, save, say } from './dom.js'
import { opening } from './registered-documents.js'
import { texts } from './texts.js'
import { conclusionOf, judgedSignature, worstOf } from './verdict.js'
import { verdictTexts } from './verdict-texts.js'

/** Says of a card whether it is registered, and what each signature in it proves. Answers false for what is no card. */
export async function checkCard(place: HTMLElement, file: File): Promise<boolean> {
  const bar = progressBar(texts.looking)
  say(place, 'busy', make('p', {}, texts.looking), bar.element)
  try {
    const card = await client.checkDdc({ upload: file }, { onProgress: (sent, total) => bar.to(sent / total) })
    await show(place, file, card)
    return true
  } catch (error) {
    if (isProblem(error, 'cardNotParsed')) return false
    throw error
  }
}

async function show(place: HTMLElement, file: File, { documentId, original, signatures }: CheckedDdc): Promise<void> {
  const blocks = (await Promise.all(signatures.map(judged))).flat()
  const list = make(
    'details',
    documentId === undefined ? { open: '' } : {},
    make('summary', {}, texts.details),
    ...blocks,
  )
  if (documentId !== undefined) {
    const [title, text] = [texts.cardGood, texts.cardGoodText(signatures.length)]
    const keep = make('button', { type: 'button' }, texts.saveOriginal)
    keep.addEventListener('click', () => void saveOriginal(place, file, original.name))
    return say(place, 'good', make('h2', {}, title), make('p', {}, text), opening(documentId), ' ', keep, list)
  }
  const isChanged = signatures.some(
    ({ verdict }) =>
      verdict === undefined || ['other', 'wrong'].includes(worstOf(verdict.signatures.map(conclusionOf))),
  )
  const known = signatures.find(({ registered }) => registered !== undefined)?.registered
  const title = isChanged || known !== undefined ? texts.cardBad : verdictTexts.cardOpen
  const text = isChanged ? verdictTexts.cardChanged : known ? verdictTexts.cardMixed : verdictTexts.cardOpenText
  const link = known === undefined ? undefined : opening(known.documentId)
  say(place, isChanged ? 'bad' : known ? 'warn' : 'plain', make('h2', {}, title), make('p', {}, text), link, list)
}

async function judged({ name, registered, verdict }: CheckedDdc['signatures'][number]): Promise<HTMLElement[]> {
  const file = make('p', { class: 'kicker' }, own(name))
  if (verdict === undefined)
    return [make('section', { class: 'judged' }, file, make('p', {}, verdictTexts.notASignature))]
  const note = registered === undefined ? [] : [make('p', { class: 'hint' }, verdictTexts.registeredOne)]
  return Promise.all(
    verdict.signatures.map((one) => {
      const title = make('p', {}, make('strong', {}, verdictTexts.titles[conclusionOf(one)]))
      return judgedSignature(one, { above: [file, title, ...note] })
    }),
  )
}

/** What is in a genuine card is read by the registry once more, which answers it when it is clean. */
async function saveOriginal(place: HTMLElement, file: File, name: string): Promise<void> {
  try {
    const { document } = await client.parseDdc({ upload: file })
    save(new Blob([fromBase64(document)]), name)
  } catch (error) {
    await sayFailure(place, error)
  }
}
