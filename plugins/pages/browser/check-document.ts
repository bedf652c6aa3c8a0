import type { CheckedFiles } from '@signed-registry/client'
import { toBase64 } from './bytes.js'
import type { JudgedFile } from './check-signed-files.js'
import { make } from './dom.js'
import type { GivenCard, GivenDocument } from './dropped-files.js'
import { ALGORITHMS, hashesOf, hashOf, SHA256 } from './hash.js'
import { documentList, type FoundDocument, registeredDocuments } from './registered-documents.js'
import type { Part } from './results.js'
import { texts } from './texts.js'
import { verdictTexts } from './verdict-texts.js'

/** The other files that were dropped with a document. */
interface Beside {
  readonly cards: readonly GivenCard[]
  readonly signedFiles: readonly JudgedFile[]
  readonly judged: CheckedFiles | undefined
  readonly onHashing: (done: number) => void
  /** True beside bundles, whose signatures are on none of them. */
  readonly isAmongOthers: boolean
}

/** The result for a document without a signature among the files: whether it is registered, or the original of a card. */
export async function documentPart(
  document: GivenDocument,
  { cards, signedFiles, judged, onHashing, isAmongOthers }: Beside,
): Promise<Part> {
  const { name, file, hasFiles } = document
  const card = cards.length === 0 ? undefined : await cardOf(document, cards, onHashing)
  if (card !== undefined) {
    const isProved = card.card.outcome === 'proved'
    return { names: name, look: isProved ? 'good' : 'plain', title: verdictTexts.originalOf(card.name), body: [] }
  }
  const signed = await signedWith(file, signedFiles, onHashing)
  if (signed !== undefined) return { names: name, ...signed }
  const known = judged?.documents.find((one) => one.name === name)?.registered ?? []
  const found = known.length > 0 ? known : await lookedUp(file, onHashing)
  const isAlone = judged === undefined && cards.length + signedFiles.length === 0 && !isAmongOthers
  const note = hasFiles ? make('p', { class: 'hint' }, texts.notACard) : undefined
  const registered = found.length > 0
  const text = registered ? texts.registeredText : texts.notRegisteredText
  const state = registered ? texts.registered(found.length) : texts.notRegistered
  return {
    names: name,
    isLookup: isAlone,
    look: isAlone && registered ? 'good' : isAlone ? 'plain' : 'warn',
    title: isAlone ? state : verdictTexts.unsigned,
    body: [
      isAlone ? undefined : make('p', {}, state),
      make('p', {}, text),
      registered ? documentList(found) : undefined,
      note,
    ],
  }
}

/** Nearly every document is found by the usual hash; only when all have been tried is it unknown. */
async function lookedUp(file: File, onHashing: Beside['onHashing']): Promise<readonly FoundDocument[]> {
  const [usual, ...others] = ALGORITHMS
  for (const algorithms of [[usual], others]) {
    const found = await registeredDocuments((await hashesOf(file, onHashing, algorithms)).map(toBase64))
    if (found.length > 0) return found
  }
  return []
}

/** The card that contains this document as its original. */
async function cardOf({ file }: GivenDocument, cards: readonly GivenCard[], onHashing: Beside['onHashing']) {
  const hash = toBase64(await hashOf(file, onHashing))
  return cards.find(({ card }) => card.original.digests[SHA256] === hash)
}

/** What a signed file says of this document, which is a part of it. */
async function signedWith(
  file: File,
  signedFiles: readonly JudgedFile[],
  onHashing: Beside['onHashing'],
): Promise<Pick<Part, 'look' | 'title' | 'body'> | undefined> {
  if (signedFiles.length === 0) return undefined
  const hash = toBase64(await hashOf(file, onHashing))
  for (const { name, answer } of signedFiles) {
    if (!('file' in answer)) continue
    const { documents, outcome } = answer.file
    if (!documents.some(({ sha256, signatures }) => sha256 === hash && signatures.length > 0)) continue
    const { signedFileTitle } = await import('./files/show-file.js')
    return { look: outcome === 'proved' ? 'good' : 'plain', title: signedFileTitle(answer.file, name), body: [] }
  }
  return undefined
}
