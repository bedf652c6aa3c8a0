import { toBase64 } from '../bytes.js'
import { byId, make, onFiles, own, say, show } from '../dom.js'
import { isBundle } from '../evidence/bundle-file.js'
import { judgeBundles } from '../evidence/judge-bundles.js'
import type { EvidenceAnswer, EvidenceQuestion, NamedAnchor } from '../evidence/question.js'
import { mayBeSigned } from '../files/may-be-signed.js'
import type { SignedFileAnswer } from '../files/shown-file.js'
import { signatureIn } from '../signature-file.js'
import { reportLanguage, texts } from '../texts.js'
import { verdictTexts } from '../verdict-texts.js'
import { VerifierWorker } from '../verifier-worker.js'
import { dropZone, languageLinks, textField } from './controls.js'
import { showAnswer, showFile } from './result.js'
import { offlineTexts } from './texts.js'

/** Longest file of trusted certificates. */
const MAX_TRUST_BYTES = 2 ** 20

const script = new Blob([byId('worker', HTMLScriptElement).text], { type: 'text/javascript' })
const scriptAddress = URL.createObjectURL(script)
const verifier = new VerifierWorker(() => new Worker(scriptAddress))

const verdict = make('div', { class: 'outcome', id: 'verdict', role: 'status', 'aria-live': 'polite' })
const chosen = make('p', { class: 'hint', id: 'chosen' })
const trusted = make('p', { class: 'hint', id: 'trusted' })
const { field: keyField, input: keyInput } = textField('key', offlineTexts.key, offlineTexts.keyHint)

document.title = offlineTexts.title
byId('content', HTMLElement).append(
  languageLinks(offlineTexts.languages),
  make('h1', {}, offlineTexts.title),
  make('p', { class: 'lead' }, offlineTexts.lead),
  make(
    'section',
    {},
    make('h2', {}, offlineTexts.files),
    dropZone('file', offlineTexts.drop, offlineTexts.choose, offlineTexts.dropHint),
    chosen,
    verdict,
  ),
  make(
    'section',
    {},
    make('h2', {}, offlineTexts.trust),
    make('p', {}, offlineTexts.trustText),
    dropZone('anchors', offlineTexts.dropTrust, offlineTexts.chooseTrust),
    trusted,
    keyField,
  ),
  make('p', { class: 'hint' }, offlineTexts.timeZone),
)

let signed: readonly File[] = []
/** Those of them that carry what they are over. */
const whole = new Set<File>()
let beside: readonly File[] = []
let anchors: readonly NamedAnchor[] = []

onFiles('file', (files) => void reading(take(files)))
onFiles('anchors', (files) => void reading(trust(files)))
keyInput.addEventListener('change', () => void reading(judgeAgain()))

/** Says it where a file cannot be read, such as a folder. */
async function reading(work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (!(error instanceof DOMException)) throw error
    // Another attempt has begun.
    if (error.name === 'AbortError') return
    say(newAttempt().place, 'bad', make('p', {}, texts.unreadable))
  }
}

/** New signatures and bundles begin a new check; documents alone are added to what is there. */
async function take(files: readonly File[]): Promise<void> {
  const telling = signedAmong(files, told)
  told = telling
  const fresh = await telling
  const documents = files.filter((file) => !fresh.includes(file))
  beside = fresh.length > 0 || signed.length === 0 ? documents : [...beside, ...documents]
  if (fresh.length > 0) signed = fresh
  list(chosen, [...signed, ...beside])
  await judge()
}

/** Files that are being told apart: the verifier is asked one thing at a time, and nothing ends that. */
let told: Promise<unknown> = Promise.resolve()

async function judgeAgain(): Promise<void> {
  await told.catch(() => undefined)
  await judge()
}

async function signedAmong(files: readonly File[], before: Promise<unknown>): Promise<File[]> {
  await before.catch(() => undefined)
  const { place, signal } = newAttempt()
  say(place, 'busy', make('p', {}, texts.hashing))
  const found: File[] = []
  for (const file of files) if (await isSigned(file, signal)) found.push(file)
  return found
}

/** Whether it has signatures; who is trusted does not matter here. */
async function isSigned(file: File, signal: AbortSignal): Promise<boolean> {
  if (await isBundle(file)) return true
  if (await mayBeSigned(file)) {
    const answer = await askAboutFile(file, [], signal)
    if ('file' in answer || 'notRead' in answer) whole.add(file)
  }
  return whole.has(file) || (await signatureIn(file)) !== undefined
}

async function trust(files: readonly File[]): Promise<void> {
  const given = files.filter(({ size }) => size <= MAX_TRUST_BYTES)
  const read = given.map(async (file) => ({ name: file.name, certificate: certificateIn(await file.arrayBuffer()) }))
  anchors = await Promise.all(read)
  list(trusted, given)
  await judgeAgain()
}

/** As the worker takes it: PEM, or base64 of anything else. */
function certificateIn(content: ArrayBuffer): string {
  const text = new TextDecoder('latin1').decode(content)
  return text.includes('-----BEGIN ') ? text : toBase64(new Uint8Array(content))
}

function list(place: HTMLElement, files: readonly File[]): void {
  place.replaceChildren(`${offlineTexts.chosen}: `, own(files.map(({ name }) => name).join(', ')))
}

let running = new AbortController()

/** Each attempt has its own element and takes the place of the one before, which ends. */
function newAttempt(): { place: HTMLElement; signal: AbortSignal } {
  running.abort()
  running = new AbortController()
  const place = make('div')
  verdict.replaceChildren(place)
  return { place, signal: running.signal }
}

async function judge(): Promise<void> {
  const { place, signal } = newAttempt()
  if (signed.length === 0) {
    if (beside.length > 0) say(place, 'plain', make('p', {}, offlineTexts.noSignature))
    return
  }
  say(place, 'busy', make('p', {}, texts.hashing))
  try {
    const { bundles, rest } = await judgeBundles([...signed, ...beside], {
      ask: (file, documents) => ask(file, documents, signal),
      isSigned: async (file) => signed.includes(file),
    })
    const results: Result[] = bundles.map(({ file, answer }) => ({
      file,
      show: (at) => showAnswer(at, answer, anchors.length > 0),
    }))
    const plain = rest.filter((file) => !signed.includes(file))
    // A signature beside a signed file alone is over that.
    const documents = plain.length > 0 ? plain : rest.filter((file) => whole.has(file))
    for (const file of rest.filter((one) => signed.includes(one)))
      results.push({
        file,
        show: whole.has(file) ? await judgedFile(file, signal) : await judged(file, documents, signal),
      })
    place.replaceChildren(...results.map((one) => section(one, results.length > 1)))
  } catch (error) {
    if (error instanceof DOMException && !signal.aborted) throw error
    say(place, 'bad', make('p', {}, verdictTexts.notChecked), make('p', { class: 'hint' }, String(error)))
  }
  show(place)
}

/** What is shown of a file. */
interface Result {
  readonly file: File
  show(place: HTMLElement): void
}

async function judged(file: File, documents: readonly File[], signal: AbortSignal): Promise<Result['show']> {
  const answer = await ask(file, documents, signal)
  return (place) => showAnswer(place, answer, anchors.length > 0)
}

async function judgedFile(file: File, signal: AbortSignal): Promise<Result['show']> {
  const answer = await askAboutFile(file, anchors, signal)
  return (place) => showFile(place, file, answer, anchors.length > 0)
}

function section({ file, show: showIn }: Result, isNamed: boolean): HTMLElement {
  const result = make('div')
  showIn(result)
  const heading = isNamed ? make('h3', {}, own(file.name)) : undefined
  return make('section', { class: 'one-of-several' }, heading, result)
}

function ask(file: File, documents: readonly File[], signal: AbortSignal): Promise<EvidenceAnswer> {
  const key = keyInput.value.trim()
  const question: EvidenceQuestion = { file, beside: documents, trust: anchors, language: reportLanguage }
  return verifier.ask(key === '' ? question : { ...question, key }, signal)
}

const askAboutFile = (
  signedFile: File,
  trusted: readonly NamedAnchor[],
  signal: AbortSignal,
): Promise<SignedFileAnswer> => verifier.askAboutFile({ signedFile, trust: trusted, language: reportLanguage }, signal)
