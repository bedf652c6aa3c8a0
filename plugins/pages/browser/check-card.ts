import type { CheckedDdc } from '@signed-registry/client'
import { client, sayFailure } from './api.js'
import { fromBase64 } from './bytes.js'
import { checkedSignature } from './checked-signature.js'
import { make, own, save, say } from './dom.js'
import type { GivenCard } from './dropped-files.js'
import { fileInPdf } from './file-in-pdf.js'
import { SHA256 } from './hash.js'
import { look } from './look.js'
import { opening } from './registered-documents.js'
import type { Part } from './results.js'
import { texts } from './texts.js'
import { conclusionOf, LOOKS, worstOf } from './verdict.js'
import { verdictTexts } from './verdict-texts.js'

/** The verdict on a card: on the files in it, which are evidence, and on its pages, which alone prove nothing. */
export async function cardPart({ name, file, card }: GivenCard): Promise<Part> {
  const signatures = (await Promise.all(card.signatures.map(judged))).flat()
  const said = card.documentId === undefined ? unregistered(card) : genuine(card)
  const list = make(
    'details',
    said.look === 'good' ? {} : { open: '' },
    make('summary', {}, texts.details),
    ...signatures,
  )
  const original = await originalOf(file, card)
  return { names: name, ...said, body: [...said.body, ...original, list] }
}

type Said = Omit<Part, 'names'>

/** Every signature is registered and over the original: only the pages remain to be judged. */
function genuine({ documentId = '', signatures, pages }: CheckedDdc): Said {
  const conclusion = worstOf(signatures.flatMap(({ verdict }) => verdict?.signatures.map(conclusionOf) ?? ['wrong']))
  const files = make('p', {}, texts.cardGoodText(signatures.length))
  const link = opening(documentId)
  if (pages.compared === 'differ') {
    const { numbers = [] } = pages
    const which = numbers.length === 0 ? verdictTexts.cardBeside : verdictTexts.cardNumbers(numbers.join(', '))
    const body = [make('p', {}, which), files, make('p', {}, make('strong', {}, verdictTexts.onlyOriginal)), link]
    const title = numbers.length === 0 ? verdictTexts.cardChangedFile : verdictTexts.cardRedrawn
    return { look: 'bad', title, body }
  }
  if (conclusion !== 'valid')
    return { look: LOOKS[conclusion], title: verdictTexts.titles[conclusion], body: [pagesText(pages), link] }
  if (pages.compared === 'same')
    return { look: 'good', title: texts.cardGood, body: [files, make('p', {}, verdictTexts.cardSame), link] }
  return { look: 'plain', title: verdictTexts.onlyOriginal, body: [files, pagesText(pages), link] }
}

/** Why the pages cannot be compared. */
function pagesText({ compared, reason = '' }: CheckedDdc['pages']): HTMLElement {
  if (compared === 'same') return make('p', {}, verdictTexts.cardSame)
  const known = Object.entries(verdictTexts.cardReasons).find(([name]) => name === reason)?.[1]
  return make('p', {}, verdictTexts.cardNotCompared(known ?? verdictTexts.cardNotDrawn))
}

/** No registered document matches: shows the verdict on each signature. */
function unregistered({ signatures }: CheckedDdc): Said {
  const isChanged = signatures.some(
    ({ verdict }) =>
      verdict === undefined || ['other', 'wrong'].includes(worstOf(verdict.signatures.map(conclusionOf))),
  )
  const known = signatures.find(({ registered }) => registered !== undefined)?.registered
  const title = isChanged || known !== undefined ? texts.cardBad : verdictTexts.cardOpen
  const text = isChanged ? verdictTexts.cardChanged : known ? verdictTexts.cardMixed : verdictTexts.cardOpenText
  return {
    look: isChanged ? 'bad' : known ? 'warn' : 'plain',
    title,
    body: [
      make('p', {}, verdictTexts.onlyOriginal),
      make('p', {}, text),
      known === undefined ? undefined : opening(known.documentId),
    ],
  }
}

async function judged({ name, verdict }: CheckedDdc['signatures'][number]): Promise<HTMLElement[]> {
  const file = make('p', { class: 'kicker' }, own(name))
  if (verdict === undefined)
    return [make('section', { class: 'judged' }, file, make('p', {}, verdictTexts.notASignature))]
  return Promise.all(
    verdict.signatures.map((one) => {
      const title = make('p', {}, make('strong', {}, verdictTexts.titles[conclusionOf(one)]))
      return checkedSignature(one, { above: [file, title] })
    }),
  )
}

/** Buttons to view and save the original in a card; none when it is not available. */
async function originalOf(
  file: File,
  { documentId, original: { name, size, digests } }: CheckedDdc,
): Promise<HTMLElement[]> {
  const place = make('div')
  // The registry scans the original of a registered document again before it answers.
  const parse = () => client.parseDdc({ upload: file }).then(({ document }) => new Blob([fromBase64(document)]))
  const here = documentId === undefined ? await fileInPdf(file, { sha256: digests[SHA256] ?? '', size }) : undefined
  if (documentId === undefined && here === undefined) return []
  let reading: Promise<Blob> | undefined
  const button = (label: string, act: (original: Blob) => unknown) => {
    const made = make('button', { type: 'button' }, label)
    made.addEventListener('click', async () => {
      try {
        reading ??= here === undefined ? parse() : Promise.resolve(here)
        if (place.childElementCount === 0) say(place, 'busy', make('p', {}, texts.fetching))
        const original = await reading
        place.replaceChildren()
        await act(original)
      } catch (error) {
        reading = undefined
        await sayFailure(place, error)
      }
    })
    return made
  }
  const buttons = [
    button(verdictTexts.lookAtOriginal, (blob) => look(place, { blob, name })),
    button(texts.saveOriginal, (blob) => save(blob, name)),
  ]
  return [make('p', { class: 'actions' }, ...buttons), place]
}
