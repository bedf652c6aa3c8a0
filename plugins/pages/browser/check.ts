import { sayFailure } from './api.js'
import { toBase64 } from './bytes.js'
import { checkCard } from './check-card.js'
import { checkPdf } from './check-pdf.js'
import { checkSignature } from './check-signature.js'
import { byId, make, onFiles, own, progressBar, say, show } from './dom.js'
import { ALGORITHMS, hashesOf } from './hash.js'
import { LARGEST_PDF } from './pdf-signatures.js'
import { registeredDocuments } from './registered-documents.js'
import { addReport } from './report.js'
import { texts } from './texts.js'
import { type Checked, together } from './together.js'

const verdict = byId('verdict', HTMLElement)
const originalPlace = byId('original-place', HTMLElement)
/** Signatures that wait for their document. */
let waiting: readonly Checked[] = []

onFiles('file', (files) => void attempt(together(files)))
onFiles('original', ([document]) => {
  if (document !== undefined && waiting.length > 0)
    void attempt(Promise.resolve(waiting.map((one) => ({ ...one, document }))))
})

/** Each attempt has a place of its own, and the last one is seen: an earlier one that takes longer says nothing of it. */
async function attempt(asked: Promise<readonly Checked[]>): Promise<void> {
  const place = make('div')
  verdict.replaceChildren(place)
  originalPlace.hidden = true
  waiting = []
  try {
    const all = await asked
    for (const one of all) {
      if (!place.isConnected) return
      await check(one, all.length > 1 ? partOf(place, one) : place)
    }
  } catch (error) {
    await sayFailure(place, error)
  }
  if (place.isConnected) show(place)
}

/** The place of one of several, under the names of its files. */
function partOf(place: HTMLElement, { file, document }: Checked): HTMLElement {
  const part = make('div')
  const names = document === undefined ? file.name : `${file.name}, ${document.name}`
  place.append(make('section', { class: 'one-of-several' }, make('h2', {}, own(names)), part))
  return part
}

/** Each of several is judged by itself, and its report is about nothing else. */
async function check({ file, signature, document }: Checked, place: HTMLElement): Promise<void> {
  try {
    if (signature === undefined) await checkFile(file, place)
    else {
      const needsDocument = await checkSignature(place, signature, document)
      if (!place.isConnected) return
      if (needsDocument) waiting = [...waiting, { file, signature }]
      originalPlace.hidden = waiting.length === 0
    }
    addReport(place, document === undefined ? [file] : [file, document])
  } catch (error) {
    await sayFailure(place, error)
  }
}

async function checkFile(file: File, place: HTMLElement): Promise<void> {
  const isPdf = file.size <= LARGEST_PDF && (await file.slice(0, 5).text()) === '%PDF-'
  // A PDF with files in it need not be a card.
  const hasFiles = isPdf && (await file.text()).includes('/EmbeddedFile')
  if (hasFiles && (await checkCard(place, file))) return
  if (isPdf && (await checkPdf(place, file))) return
  await checkDocument(file, place, hasFiles ? make('p', { class: 'hint' }, texts.notACard) : undefined)
}

async function checkDocument(file: File, place: HTMLElement, note?: HTMLElement): Promise<void> {
  // Nearly every document is known by the usual hash. That one is unknown can be said when all have been asked for.
  const [usual, ...others] = ALGORITHMS
  for (const algorithms of [[usual], others]) {
    const bar = progressBar(texts.hashing)
    say(place, 'busy', make('p', {}, texts.hashing), bar.element)
    const hashes = await hashesOf(file, bar.to, algorithms)
    const { found, list } = await registeredDocuments(hashes.map(toBase64))
    if (found === 0) continue
    return say(place, 'good', make('h2', {}, texts.registered(found)), make('p', {}, texts.registeredText), list, note)
  }
  say(place, 'plain', make('h2', {}, texts.notRegistered), make('p', {}, texts.notRegisteredText), note)
}
