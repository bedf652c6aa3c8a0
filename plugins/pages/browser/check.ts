import { sayFailure } from './api.js'
import { toBase64 } from './bytes.js'
import { checkCard } from './check-card.js'
import { checkPdf } from './check-pdf.js'
import { checkSignature } from './check-signature.js'
import { byId, make, onFiles, progressBar, say, show } from './dom.js'
import { ALGORITHMS, hashesOf } from './hash.js'
import { LARGEST_PDF } from './pdf-signatures.js'
import { registeredDocuments } from './registered-documents.js'
import { addReport } from './report.js'
import { type GivenSignature, signatureIn } from './signature-file.js'
import { texts } from './texts.js'

const verdict = byId('verdict', HTMLElement)
const originalPlace = byId('original-place', HTMLElement)
/** A signature, and the file that it came in. */
interface SignatureFile {
  readonly signature: GivenSignature
  readonly file: File
}
/** The signature that waits for its document. */
let waiting: SignatureFile | undefined

onFiles('file', (files) => void attempt(files, (place) => check(files, place)))
onFiles('original', ([document]) => {
  const one = waiting
  if (document !== undefined && one !== undefined)
    void attempt([one.file, document], (place) => judge(one, document, place))
})

/** Each attempt has a place of its own, and the last one is seen: an earlier one that takes longer says nothing of it. */
async function attempt(files: readonly File[], work: (place: HTMLElement) => Promise<void>): Promise<void> {
  const place = make('div')
  verdict.replaceChildren(place)
  originalPlace.hidden = true
  try {
    await work(place)
    if (files.length > 0) addReport(place, files)
  } catch (error) {
    await sayFailure(place, error)
  }
  if (place.isConnected) show(place)
}

/** A file of any kind, or a signature with its document. */
async function check(files: readonly File[], place: HTMLElement): Promise<void> {
  for (const file of files) {
    const signature = await signatureIn(file)
    if (signature === undefined) continue
    const document = files.find((other) => other !== file)
    return judge({ signature, file }, document, place)
  }
  const [file] = files
  if (file === undefined) return
  const isPdf = file.size <= LARGEST_PDF && (await file.slice(0, 5).text()) === '%PDF-'
  // A PDF with files in it need not be a card.
  const hasFiles = isPdf && (await file.text()).includes('/EmbeddedFile')
  if (hasFiles && (await checkCard(place, file))) return
  if (isPdf && (await checkPdf(place, file))) return
  await checkDocument(file, place, hasFiles ? make('p', { class: 'hint' }, texts.notACard) : undefined)
}

async function judge(one: SignatureFile, document: File | undefined, place: HTMLElement): Promise<void> {
  const needsDocument = await checkSignature(place, one.signature, document)
  if (!place.isConnected) return
  waiting = needsDocument ? one : undefined
  originalPlace.hidden = !needsDocument
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
