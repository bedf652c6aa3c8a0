import { client, sayFailure } from './api.js'
import { toBase64 } from './bytes.js'
import { byId, dataOf, make, onFiles, own, progressBar, say } from './dom.js'
import { ALGORITHMS, hashOf } from './hash.js'
import { texts } from './texts.js'

const { id, algorithms } = dataOf<{ readonly id: string; readonly algorithms: readonly string[] }>('proof')
const verdict = byId('verdict', HTMLElement)
onFiles('original', ([file]) => {
  if (file === undefined) return
  const place = make('div')
  verdict.replaceChildren(place)
  void compare(file, place).catch((error) => sayFailure(place, error))
})

/** Checks whether a file is the document: only its hash is sent. */
async function compare(file: File, place: HTMLElement): Promise<void> {
  const algorithm = ALGORITHMS.find((oid) => algorithms.includes(oid))
  if (algorithm === undefined) return say(place, 'plain', make('p', {}, texts.noHash))
  const bar = progressBar(texts.hashing)
  say(place, 'busy', make('p', {}, texts.hashing), bar.element)
  const digest = toBase64(await hashOf(file, bar.to, algorithm))
  const { matches = false } = await client.getDocumentProof({ id, query: { digest } })
  const [title, text] = matches
    ? [texts.match, texts.matchText(file.name)]
    : [texts.noMatch, texts.noMatchText(file.name)]
  say(place, matches ? 'good' : 'bad', make('h3', {}, title), make('p', {}, own(text)))
}
