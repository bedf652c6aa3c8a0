import { failureText, sayFailure } from './api.js'
import { bundlePart, checkBundles, openBundles, prepareForBundles } from './check-bundles.js'
import { cardPart } from './check-card.js'
import { documentPart } from './check-document.js'
import { byId, make, onFiles, own, progressBar, say, show } from './dom.js'
import { type Given, sortFiles } from './dropped-files.js'
import { addReport } from './report.js'
import { judgedParts, type Part } from './results.js'
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

prepareForBundles()

/** Each attempt has its own element, and only the last is visible, so that a slow earlier one cannot overwrite it. */
async function attempt(files: readonly File[]): Promise<void> {
  const place = make('div')
  verdict.replaceChildren(place)
  originalPlace.hidden = true
  waiting = []
  running.abort()
  running = new AbortController()
  try {
    const { parts, needDocument, isBundlesOnly, asked } = await partsWithBundles(place, files, running.signal)
    if (!place.isConnected) return
    waiting = needDocument
    originalPlace.hidden = waiting.length === 0
    sayAll(place, parts, files.length)
    if (!isBundlesOnly) addReport(place, files, [], asked)
  } catch (error) {
    await sayFailure(place, error)
  }
  if (place.isConnected) show(place)
}

/** Bundles are judged here, without the registry; the other files as they are without bundles. */
async function partsWithBundles(place: HTMLElement, files: readonly File[], signal: AbortSignal) {
  say(place, 'busy', make('p', {}, texts.hashing))
  const { bundles, claimed, rest } = await checkBundles(files.slice(0, MAX_FILES), signal)
  if (bundles.length === 0) return { ...(await partsOf(place, files)), isBundlesOnly: false }
  const parts = await Promise.all(bundles.map(bundlePart))
  const open = [...new Set(openBundles(bundles))]
  if (rest.length === 0) return { parts, needDocument: open, isBundlesOnly: true, asked: undefined }
  try {
    const found = await partsOf(place, rest, claimed)
    const needDocument = [...open, ...found.needDocument]
    return { parts: [...parts, ...found.parts], needDocument, isBundlesOnly: false, asked: found.asked }
  } catch (error) {
    // What the browser has found out stands, also where the registry cannot be reached.
    const names = rest.map(({ name }) => name).join(', ')
    const failed: Part = { names, look: 'warn', title: await failureText(error), body: [] }
    return { parts: [...parts, failed], needDocument: open, isBundlesOnly: true, asked: undefined }
  }
}

/** Results for files, and the signatures that still need their document; `claimed` are documents of bundles beside them. */
async function partsOf(place: HTMLElement, files: readonly File[], claimed?: ReadonlySet<File>) {
  const busy = (text: string) => {
    const bar = progressBar(text)
    say(place, 'busy', make('p', {}, text), bar.element)
    return bar.to
  }
  const given = await sortFiles(files.slice(0, MAX_FILES), busy(texts.looking))
  const onHashing = busy(texts.hashing)
  const hasSignatures = given.signatures.length + given.documents.flatMap(({ signatures }) => signatures).length > 0
  const { judged, asked } = hasSignatures ? await judgeFiles(given, onHashing) : {}
  const parts = judged === undefined ? [] : await judgedParts(given, judged)
  for (const card of given.cards) parts.push(await cardPart(card))
  for (const document of unsigned(given, parts))
    if (claimed?.has(document.file) !== true)
      parts.push(
        await documentPart(document, { cards: given.cards, judged, onHashing, isAmongOthers: claimed !== undefined }),
      )
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
