import { moment } from '../dates.js'
import { make, own } from '../dom.js'
import type { Part } from '../results.js'
import { type Conclusion, conclusionOf, judgedSignature, worstOf } from '../verdict.js'
import { verdictTexts } from '../verdict-texts.js'
import { fill } from './fill.js'
import { containerFiles } from './show-container.js'
import { fileProblems, notReadSays } from './show-problems.js'
import { pdfRevisions } from './show-revisions.js'
import type { NotRead, ShownFile, SignatureOfFile, TimeStampOfFile } from './shown-file.js'

const LOOKS = { proved: 'good', unknown: 'warn', wrong: 'bad' } as const

/** What stands beside a registered document where the file alone does not prove its signatures. */
export const keptSays = ({ words }: ShownFile): HTMLElement => make('p', {}, words.kept)

/** The title of a document that is signed in a signed file beside it. */
export const signedFileTitle = ({ words }: ShownFile, name: string): string => fill(words.originalOf, name)

/** The verdict on a signed file: what is wrong, who signed what, and of a PDF what came after. */
export function signedFile(file: File, shown: ShownFile): Pick<Part, 'look' | 'title'> & { body: HTMLElement[] } {
  const { outcome, signatures, timeStamps, format, words } = shown
  return {
    look: conclusionOn(signatures) === 'revoked' ? 'bad' : LOOKS[outcome],
    title: titleOf(shown),
    body: [
      make('p', {}, words.privacy),
      ...fileProblems(shown),
      ...(format.startsWith('asic') ? [containerFiles(shown)] : []),
      ...(signatures.length + timeStamps.length > 0 && format === 'pdf' ? [pdfRevisions(file, shown)] : []),
      ...signatures.map((one, index) => signature(one, index, shown)),
      ...timeStamps.map((one) => timeStamp(one, shown)),
    ],
  }
}

/** What is said of a signed file that cannot be read. */
export const notReadFile = (notRead: NotRead, ...more: HTMLElement[]): Pick<Part, 'look' | 'title' | 'body'> => ({
  look: 'warn',
  title: notRead.words.notRead,
  body: [notReadSays(notRead), ...more],
})

/** Problems of a PDF that was changed, whose signatures may be good nevertheless. */
const CHANGED: readonly string[] = ['addedAfterSigning', 'changedAfterSigning', 'changeForbidden']

/** The one verdict: that on its signatures, unless the file itself makes it worse. */
function titleOf({ format, outcome, signatures, problems, words }: ShownFile): string {
  if (signatures.length === 0) return words.noSignature
  const conclusion = conclusionOn(signatures)
  const titles = format === 'pdf' ? verdictTexts.pdfTitles : verdictTexts.titles
  const isAlone = format === 'pdf' || signatures.length === 1
  const isWrong = conclusion === 'wrong' || conclusion === 'other'
  if (isAlone && (outcome === 'proved' || (conclusion !== 'valid' && isWrong === (outcome === 'wrong'))))
    return titles[conclusion]
  if (conclusion === 'valid' && problems.some(({ code }) => CHANGED.includes(code))) return verdictTexts.pdfChanged
  return verdictTexts.overall[LOOKS[outcome]]
}

const conclusionOn = (signatures: ShownFile['signatures']): Conclusion => worstOf(signatures.map(conclusionOf))

function signature(one: SignatureOfFile, index: number, shown: ShownFile): HTMLElement {
  const of = shown.signatures.length
  const name = one.file === '' ? [] : [': ', own(one.file)]
  const kicker = make('p', { class: 'kicker' }, verdictTexts.number(index + 1, of), ...name)
  const title = make('p', {}, make('strong', {}, verdictTexts.titles[conclusionOf(one)]))
  const isAlone = of === 1 && titleOf(shown) === verdictTexts.titles[conclusionOf(one)]
  const isOpen = one.checks.some(({ check, outcome }) => check === 'document' && outcome === 'passed')
  const over = isOpen ? undefined : placeOf(one, shown)
  return judgedSignature(one, {
    above: isAlone ? [] : [kicker, title],
    over: overSays(one, shown),
    why: one.refusal?.message,
    notes: over === undefined ? [] : [make('p', { class: 'hint' }, `${shown.words.over}: `, own(over))],
  })
}

/** What a good signature is over; `undefined` where its references tell. */
function overSays({ documents, revision }: SignatureOfFile, { format, revisions, problems, words }: ShownFile) {
  if (format === 'xml') return undefined
  if (format === 'cms') return words.carried
  if (revision === undefined) return fill(words.overFiles, documents.join(', '))
  const isWhole = revision === revisions.length && !problems.some(({ reason }) => reason === 'behindEndOfFile')
  return isWhole ? verdictTexts.pdfWhole : fill(words.toRevision, revision, revisions.length)
}

function placeOf(
  { documents, revision }: Pick<SignatureOfFile, 'documents' | 'revision'>,
  { revisions, words }: ShownFile,
): string | undefined {
  if (revision !== undefined) return fill(words.revision, revision, revisions.length)
  const names = documents.filter((name) => name !== '')
  return names.length === 0 ? undefined : names.join(', ')
}

function timeStamp(one: TimeStampOfFile, shown: ShownFile): HTMLElement {
  const { states } = verdictTexts
  const { words } = shown
  const { name, time, by = '', refusal = '' } = one
  const [state, says] =
    time === undefined
      ? (['failed', refusal] as const)
      : (['passed', fill(words.timeStampGood, moment(time), by)] as const)
  const place = placeOf(one, shown)
  return make(
    'section',
    { class: 'judged' },
    make('p', { class: 'kicker' }, own(name)),
    make('h3', {}, words.timeStamp),
    make('ul', { class: 'checks' }, make('li', { class: state }, make('strong', {}, states[state]), ` ${says}`)),
    place === undefined ? undefined : make('p', { class: 'hint' }, `${shown.words.over}: `, own(place)),
    shown.signatures.length === 0 ? make('p', { class: 'hint' }, words.timeStampOnly) : undefined,
  )
}
