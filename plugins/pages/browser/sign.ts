import { client, sayFailure, Told } from './api.js'
import { newKey, toBase64 } from './bytes.js'
import { byId, dataOf, make, onFiles, own, say } from './dom.js'
import { hashOf, SHA256 } from './hash.js'
import { offerLooks } from './look.js'
import { askAgain } from './retry.js'
import { signEach } from './sign-each.js'
import { type Content, prepareWays, signAll } from './signing.js'
import { storedOriginal } from './stored-original.js'
import { onSubmit } from './submit.js'
import { texts } from './texts.js'

interface ToSign {
  readonly packageId?: string
  readonly areStored: boolean
  readonly back: string
  /** The item that the signature answers. */
  readonly incomingId?: string
  readonly documents: readonly {
    readonly documentId: string
    readonly title: string
    readonly digests: Readonly<Record<string, string>>
  }[]
}

const { documents, packageId, areStored, back, incomingId } = dataOf<ToSign>('to-sign')
const progress = byId('progress', HTMLElement)
/** Shows which files are not the documents; absent when no files are asked for. */
const choice = document.getElementById('choice') ?? progress
/** Originals that the person chose, by SHA-256. */
const brought = new Map<string, File>()
/** Originals from the registry, kept so that what was viewed is what is signed. */
const given = new Map<string, Promise<Blob>>()
/** Settles when all chosen files have been read, one choice after another, so that the message is about the last. */
let reading = Promise.resolve()

prepareWays()
offerLooks(async (id) => {
  const one = documents.find(({ documentId }) => documentId === id)
  const blob = areStored ? await stored(id) : one && fileOf(one.digests)
  if (blob === undefined) throw new Told(texts.chooseFiles)
  return { blob, name: blob instanceof File ? blob.name : one?.title || id }
})
if (!areStored) {
  showChosen()
  onFiles('originals', (files) => {
    reading = reading.then(() => bring(files)).catch((error) => sayFailure(choice, error))
  })
}
onSubmit(byId('sign', HTMLFormElement), progress, async () => {
  await reading
  const contents = await originals()
  const signatures = await signAll(contents, progress)
  say(progress, 'busy', make('p', {}, texts.registering))
  const [first] = signatures
  const once = { idempotencyKey: newKey() }
  if (packageId !== undefined) {
    await askAgain(progress, () => client.signPackage({ packageId, request: { signatures } }, once))
  } else if (documents.length > 1) {
    if (!(await signEach(documents, signatures, once.idempotencyKey, progress))) return undefined
  } else if (first !== undefined && documents[0] !== undefined) {
    const id = documents[0].documentId
    await askAgain(progress, () => client.addSignature({ id, request: first }, once))
  }
  say(progress, 'good', make('p', {}, texts.signed))
  if (incomingId !== undefined) await accept(incomingId)
  return back
})

/** Accepts the item that the signature answers; the signature stands where that is refused, and the item says what is left. */
async function accept(id: string): Promise<void> {
  const request = { status: 'accepted' } as const
  const accepting = () => client.commentIncoming({ incomingId: id, request }, { idempotencyKey: newKey() })
  await accepting().catch((error: unknown) => error)
}

/** Accepts files that are documents to sign; shows which are not. */
async function bring(files: readonly File[]): Promise<void> {
  const wrong: string[] = []
  for (const file of files) {
    const digest = toBase64(await hashOf(file))
    // Without a SHA-256 of the document the comparison is left to the registry, which refuses a signature over anything else.
    const isOne = documents.some(({ digests }) => digests[SHA256] === undefined || digests[SHA256] === digest)
    if (isOne) brought.set(digest, file)
    else wrong.push(file.name)
  }
  showChosen()
  progress.replaceChildren()
  if (wrong.length > 0) say(choice, 'bad', ...wrong.map((name) => make('p', {}, own(texts.wrongFile(name)))))
  else choice.replaceChildren()
}

/** The file that was chosen for a document; the last one if the document has no SHA-256. */
function fileOf(digests: Readonly<Record<string, string>>): File | undefined {
  const digest = digests[SHA256]
  return digest === undefined ? [...brought.values()].at(-1) : brought.get(digest)
}

/** Shows which documents are available, and which are still needed. */
function showChosen(): void {
  const rows = documents.map(({ digests, title, documentId }) => {
    const isAtHand = fileOf(digests) !== undefined
    const state = make(
      'span',
      { class: `chip ${isAtHand ? 'good' : 'warn'}` },
      isAtHand ? texts.isChosen : texts.isNeeded,
    )
    const read = make('button', { type: 'button', class: 'small', 'data-look': documentId }, texts.lookAt)
    return make('li', {}, own(title || documentId), state, isAtHand ? read : undefined)
  })
  byId('chosen', HTMLElement).replaceChildren(...rows)
}

/** The contents to sign: stored originals, or files that the person chose. */
async function originals(): Promise<Content[]> {
  const contents: Content[] = []
  for (const { documentId, digests, title } of documents) {
    const digest = digests[SHA256]
    const blob = areStored ? await stored(documentId) : fileOf(digests)
    if (blob === undefined) throw new Told(documents.length > 1 ? texts.missingOriginals : texts.chooseFiles)
    contents.push({ blob, name: title || documentId, ...(digest !== undefined && { digest }) })
  }
  return contents
}

function stored(id: string): Promise<Blob> {
  const found = given.get(id) ?? storedOriginal(id)
  given.set(id, found)
  found.catch(() => given.delete(id))
  return found
}
