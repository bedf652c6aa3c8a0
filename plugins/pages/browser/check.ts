import { failureText, sayFailure } from './api.js'
import { bundlePart, checkBundles, openBundles, prepareVerifier } from './check-bundles.js'
import { cardPart } from './check-card.js'
import { documentPart } from './check-document.js'
import { checkSignedFiles, type JudgedFile, signedFilePart } from './check-signed-files.js'
import { byId, make, onFiles, own, progressBar, say, show } from './dom.js'
import { type Given, sortFiles } from './dropped-files.js'
import { addReport } from './report.js'
import { judgedParts, type Part } from './results.js'
import type { ReportedFiles } from './signed-report.js'
import { texts } from './texts.js'
import { verdictTexts } from './verdict-texts.js'
import { isComputable, judgeFiles, MAX_FILES } from './verify-files.js'

const verdict = byId('verdict', HTMLElement)
const originalPlace = byId('original-place', HTMLElement)
/** Signatures and bundles whose document is still missing. */
let waiting: readonly File[] = []
let running = new AbortController()

onFiles('file', (files) => void attempt(files))
onFiles('original', ([document]) => {
  if (document !== undefined && waiting.length > 0) void attempt([...waiting, document])
})

prepareVerifier()

/** Each attempt has its own element, and only the last is visible, so that a slow earlier one cannot overwrite it. */
async function attempt(files: readonly File[]): Promise<void> {
  const place = make('div')
  verdict.replaceChildren(place)
  originalPlace.hidden = true
  waiting = []
  running.abort()
  running = new AbortController()
  try {
    const { parts, needDocument, hasReport, asked } = await found(place, files, running.signal)
    if (!place.isConnected) return
    waiting = needDocument
    originalPlace.hidden = waiting.length === 0
    sayAll(place, parts, files.length)
    if (hasReport) addReport(place, files, [], asked)
  } catch (error) {
    await sayFailure(place, error)
  }
  if (place.isConnected) show(place)
}

/** What files come to. */
interface Found {
  readonly parts: readonly Part[]
  /** Those whose document is still missing. */
  readonly needDocument: readonly File[]
  /** What the registry was asked, where it was. */
  readonly asked?: ReportedFiles | undefined
  readonly hasReport: boolean
}

/** Bundles and signed files are judged here, without the registry; the other files as they are without these. */
async function found(place: HTMLElement, files: readonly File[], signal: AbortSignal): Promise<Found> {
  say(place, 'busy', make('p', {}, texts.hashing))
  const { bundles, claimed, rest } = await checkBundles(files.slice(0, MAX_FILES), signal)
  const signedFiles = await checkSignedFiles(rest.slice(0, MAX_FILES), signal)
  const parts = await Promise.all([...bundles.map(bundlePart), ...signedFiles.map(signedFilePart)])
  const open = [...new Set(openBundles(bundles))]
  if (parts.length > 0 && signedFiles.length === rest.length)
    return { parts, needDocument: open, hasReport: signedFiles.length > 0 }
  try {
    const others = await partsOf(place, rest, { signedFiles, claimed: bundles.length > 0 ? claimed : undefined })
    const needDocument = [...open, ...others.needDocument]
    return { parts: [...parts, ...others.parts], needDocument, asked: others.asked, hasReport: true }
  } catch (error) {
    if (parts.length === 0) throw error
    // What the browser has found out stands, also where the registry cannot be reached.
    const judged = new Set(signedFiles.map(({ file }) => file))
    const names = rest.flatMap((file) => (judged.has(file) ? [] : [file.name])).join(', ')
    const failed: Part = { names, look: 'warn', title: await failureText(error), body: [] }
    return { parts: [...parts, failed], needDocument: open, hasReport: false }
  }
}

/** What was judged already beside the files: signed files among them, and documents of bundles. */
interface JudgedBefore {
  readonly signedFiles: readonly JudgedFile[]
  readonly claimed: ReadonlySet<File> | undefined
}

/** Results for files, and the signatures that still need their document. */
async function partsOf(place: HTMLElement, files: readonly File[], { signedFiles, claimed }: JudgedBefore) {
  const busy = (text: string) => {
    const bar = progressBar(text)
    say(place, 'busy', make('p', {}, text), bar.element)
    return bar.to
  }
  const judgedBefore = new Set(signedFiles.map(({ file }) => file))
  const given = await sortFiles(files.slice(0, MAX_FILES), judgedBefore, busy(texts.looking))
  const onHashing = busy(texts.hashing)
  const { judged, asked } = given.signatures.length > 0 ? await judgeFiles(given, onHashing) : {}
  const parts = judged === undefined ? [] : await judgedParts(given, judged)
  for (const card of given.cards) parts.push(await cardPart(card))
  const beside = { cards: given.cards, signedFiles, judged, onHashing, isAmongOthers: claimed !== undefined }
  for (const document of unsigned(given, parts))
    if (claimed?.has(document.file) !== true && !judgedBefore.has(document.file))
      parts.push(await documentPart(document, beside))
  const needDocument = given.signatures.filter(({ name }) =>
    judged?.signatures.some(
      (one) => one.file === name && ['notCompared', 'differs'].includes(one.document) && isComputable(one),
    ),
  )
  return { parts, needDocument: needDocument.map(({ file }) => file), asked }
}

/** Documents without a result yet; the result of a single signature also covers the single document next to it. */
function unsigned({ signatures, documents, cards }: Given, parts: readonly Part[]) {
  if (documents.length === 1 && signatures.length === 1 && cards.length === 0) return []
  return documents.filter(({ name }) => !parts.some(({ about }) => about === name))
}

const WORST: readonly Part['look'][] = ['good', 'plain', 'warn', 'bad']

/** An overall verdict, and one for each when there are several. */
function sayAll(place: HTMLElement, parts: readonly Part[], files: number): void {
  const leftOut = files > MAX_FILES ? make('p', { class: 'note' }, verdictTexts.leftOut(MAX_FILES)) : undefined
  const [only, ...more] = parts
  if (only === undefined) return
  if (more.length === 0) {
    say(place, only.look, make('h2', {}, only.title), ...only.body, leftOut)
    return
  }
  const worst = Math.max(...parts.map(({ look }) => WORST.indexOf(look)), leftOut === undefined ? 0 : 2)
  const look = WORST[worst] === 'plain' ? 'warn' : (WORST[worst] ?? 'warn')
  const titles = parts.every(({ isLookup }) => isLookup) ? verdictTexts.overallDocuments : verdictTexts.overall
  const sections = parts.map(({ names, title, body, ...rest }) => {
    const part = make('div')
    say(part, rest.look, make('h3', {}, title), ...body)
    return make('section', { class: 'one-of-several' }, make('h2', {}, own(names)), part)
  })
  say(place, look, make('h2', {}, titles[look]), leftOut)
  place.append(...sections)
}
