import { client, sayFailure } from './api.js'
import { toBase64 } from './bytes.js'
import { byId, dataOf, make, onFiles, own, progressBar, say, show } from './dom.js'
import { evidenceWithOriginal } from './evidence-with-original.js'
import { ALGORITHMS, hashOf } from './hash.js'
import { offerLooks } from './offer-looks.js'
import { originalAgain } from './original-again.js'
import { addReport, reportFact } from './report.js'
import { storedOriginal } from './stored-original.js'
import { texts } from './texts.js'

interface Known {
  readonly id: string
  readonly title: string
  readonly digests: Readonly<Record<string, string>>
  /** OID of a hash to add by giving the original again, where the known ones end soon. */
  readonly further?: string
  readonly isComplete: boolean
  readonly isSigned: boolean
  /** Bytes of an original that may be sent for an evidence bundle; 0 where the bundle has it, or there is none. */
  readonly bundled: number
}

const known = dataOf<Known>('document')
const verdict = byId('verdict', HTMLElement)
offerLooks(async (id) => ({ blob: await storedOriginal(id), name: known.title || id }))
onFiles('original', ([file]) => {
  if (file === undefined) return
  // Each file has its own element, and only the last is visible, so that a slow earlier one cannot overwrite it.
  const place = make('div')
  verdict.replaceChildren(place)
  void (known.isComplete ? compare(file, place) : finish(file, place))
})

/** Says whether a file is the document. */
async function compare(file: File, place: HTMLElement): Promise<void> {
  const algorithm = ALGORITHMS.find((oid) => known.digests[oid] !== undefined)
  if (algorithm === undefined) return say(place, 'plain', make('p', {}, texts.noHash))
  const bar = progressBar(texts.hashing)
  say(place, 'busy', make('p', {}, texts.hashing), bar.element)
  try {
    const digest = toBase64(await hashOf(file, bar.to, algorithm))
    const isSame = digest === known.digests[algorithm]
    const [title, text] = isSame
      ? [texts.match, texts.matchText(file.name)]
      : [texts.noMatch, texts.noMatchText(file.name)]
    say(place, isSame ? 'good' : 'bad', make('h3', {}, title), make('p', {}, own(text)))
    const address = `${location.origin}/d/${known.id}`
    const link = make('a', { href: address }, address)
    if (isSame && (known.isSigned || known.further !== undefined))
      place.append(originalAgain(known.id, known.further, file))
    if (isSame && file.size <= known.bundled) place.append(evidenceWithOriginal(known.id, file))
    addReport(place, [file], [reportFact(texts.comparedWith, make('span', {}, own(known.title), ' ', link))])
  } catch {
    say(place, 'bad', make('p', {}, texts.unreadable))
  }
  if (place.isConnected) show(place)
}

/** Sends the original that is still missing, with retries until the outcome is known. */
async function finish(file: File, place: HTMLElement): Promise<void> {
  const input = byId('original', HTMLInputElement)
  input.disabled = true
  const bar = progressBar(texts.finishing)
  say(place, 'busy', make('p', {}, texts.finishing), bar.element)
  try {
    await client.fixDigests(
      { id: known.id, upload: file },
      { onProgress: (sent, total) => bar.to(sent / (total || 1)) },
    )
    location.reload()
  } catch (error) {
    await sayFailure(place, error)
    input.disabled = false
  }
}
