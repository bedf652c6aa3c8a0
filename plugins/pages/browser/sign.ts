import { client, sayFailure, Told } from './api.js'
import { newKey, toBase64 } from './bytes.js'
import { byId, dataOf, make, onFiles, own, say } from './dom.js'
import { hashOf, SHA256 } from './hash.js'
import { look } from './look.js'
import { offerLooks } from './offer-looks.js'
import { onceIdle } from './once-idle.js'
import { askAgain } from './retry.js'
import { signEach } from './sign-each.js'
import { type Content, prepareWays, signAll } from './signing.js'
import { storedOriginal } from './stored-original.js'
import { onSubmit } from './submit.js'
import { texts } from './texts.js'

interface ToSign {
  readonly packageId?: string
  readonly areStored: boolean
  /** The received item that is accepted by the signature. */
  readonly incomingId?: string
  readonly documents: readonly {
    readonly documentId: string
    readonly title: string
    readonly size: number
    readonly digests: Readonly<Record<string, string>>
  }[]
}

/** Originals up to this size are shown at once. */
const SHOWN_AT_ONCE = 5 * 2 ** 20

const { documents, packageId, areStored, incomingId } = dataOf<ToSign>('to-sign')
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
offerLooks(seen)
const [first] = documents
if (areStored && first !== undefined && first.size <= SHOWN_AT_ONCE) onceIdle(() => showAtOnce(first.documentId))
if (!areStored) {
  showChosen()
  onFiles('originals', (files) => {
    reading = reading.then(() => bring(files)).catch((error) => sayFailure(choice, error))
  })
}
const form = byId('sign', HTMLFormElement)
onSubmit(form, progress, async () => {
  await reading
  const contents = await originals()
  await assertAcceptable()
  const signatures = await signAll(contents, progress)
  say(progress, 'busy', make('p', {}, texts.registering))
  const [signature] = signatures
  const once = { idempotencyKey: newKey() }
  if (packageId !== undefined) {
    await askAgain(progress, () => client.signPackage({ packageId, request: { signatures } }, once))
  } else if (documents.length > 1) {
    if (!(await signEach(documents, signatures, once.idempotencyKey, progress))) return undefined
  } else if (signature !== undefined && first !== undefined) {
    const id = first.documentId
    await askAgain(progress, () => client.addSignature({ id, request: signature }, once))
  }
  await showDone()
  return undefined
})

/** Refuses before the signature what could not be accepted after it: recalled, late or answered since the page was opened. */
async function assertAcceptable(): Promise<void> {
  if (incomingId === undefined) return
  const { status, deadline } = await client.getIncoming({ incomingId })
  if (status === 'new' && (deadline === undefined || deadline > Date.now())) return
  throw new Told(texts.itemClosed)
}

/** Accepts the item, and shows what can be done next in place of the form. */
async function showDone(): Promise<void> {
  const done = byId('done', HTMLElement)
  if (incomingId !== undefined) await accept(incomingId)
  progress.replaceChildren()
  form.hidden = true
  for (const button of done.querySelectorAll('button')) button.disabled = false
  done.hidden = false
  done.querySelector('h2')?.focus()
}

async function accept(incomingId: string): Promise<void> {
  const once = { idempotencyKey: newKey() }
  const request = { status: 'accepted' } as const
  try {
    await askAgain(progress, () => client.commentIncoming({ incomingId, request }, once))
    byId('accepted', HTMLElement).hidden = false
  } catch (error) {
    byId('not-accepted', HTMLElement).hidden = false
    await sayFailure(byId('why-not', HTMLElement), error)
  }
}

/** A document as it can be looked at: what was looked at is what is signed. */
async function seen(id: string) {
  const one = documents.find(({ documentId }) => documentId === id)
  const blob = areStored ? await stored(id) : one && fileOf(one.digests)
  if (blob === undefined) throw new Told(texts.chooseFiles)
  return { blob, name: blob instanceof File ? blob.name : one?.title || id }
}

/** Shows a document without being asked; what can not be shown now has its button still. */
function showAtOnce(id: string): void {
  const place = byId('looked', HTMLElement)
  seen(id).then(
    (one) => look(place, one),
    () => undefined,
  )
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
  const shown = documents.find(({ digests }) => fileOf(digests) !== undefined)
  if (shown !== undefined && files.length > wrong.length) showAtOnce(shown.documentId)
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
