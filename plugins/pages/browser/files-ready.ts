import { client, failureText } from './api.js'
import { byId, dataOf, make, progressBar, say } from './dom.js'
import type { FilesToSend } from './files-to-send.js'
import { type Mailing, objectsFor, placeOf, type SentObject } from './mailing.js'
import { registeredDocuments } from './registered-documents.js'
import { goOn } from './registration.js'
import { askAgain, patiently } from './retry.js'
import { sendRequest } from './send-one.js'
import { signAll } from './signing.js'
import { texts } from './texts.js'
import { allBegun, newlyBegun } from './unfinished-registration.js'

export { prepareWays } from './signing.js'

/** Who sends: the numbers as signatures name them. */
const { iin, bin } = dataOf<{ readonly iin: string; readonly bin?: string }>('limits')
const progress = byId('progress', HTMLElement)

/** What happens to a mailing as work goes on. */
interface Watch {
  readonly isStopped: () => boolean
  /** Keeps the mailing, and shows what became of a row. */
  readonly update: (mailing: Mailing, row?: number) => void
}

/**
 * Has every file signed in one sitting that a recipient gets, after the registry has said of each row that it would take the
 * registration and the recipient. Answers the files by hash, too. Nothing is signed when the person stopped it.
 */
export async function makeReady(
  given: Mailing,
  files: FilesToSend,
  watch: Watch,
): Promise<{ readonly mailing: Mailing; readonly byDigest: ReadonlyMap<string, File> }> {
  const read = await files.read(given, progress)
  const known = { ...read.mailing, objects: await withRegistered(read.mailing) }
  const checked = await checkRows(known, watch)
  const mailing = watch.isStopped() ? checked : await sign(checked, read.byDigest)
  watch.update(mailing)
  return { mailing, byDigest: read.byDigest }
}

/** Registers a file that is signed, or goes on with that. */
export async function registerFile(object: SentObject, byDigest: ReadonlyMap<string, File>): Promise<SentObject> {
  const { file } = object
  if (file?.begun === undefined) throw new Error(`${object.title} is not signed`)
  const begun = allBegun().find(({ key }) => key === file.begun?.key) ?? file.begun
  const { begun: now } = await goOn(begun, byDigest, progress)
  return { ...object, id: now.registered?.documentsIds[0] ?? '', file: { name: file.name, digest: file.digest } }
}

/** Whether it has to be signed and registered before it can be sent. */
const isRaw = (one: SentObject | undefined): one is SentObject =>
  one?.file !== undefined && one.id === '' && one.file.begun === undefined

/** Files that this person registered already, under the same title and settings, are sent as they are. */
async function withRegistered({ objects, settings = {} }: Mailing): Promise<SentObject[]> {
  say(progress, 'busy', make('p', {}, texts.looking))
  const all: SentObject[] = []
  for (const object of objects) {
    if (isRaw(object)) all.push({ ...object, id: await ownRegistered(object, settings) })
    else all.push(object)
  }
  return all
}

async function ownRegistered({ title, file }: SentObject, asked: NonNullable<Mailing['settings']>): Promise<string> {
  const found = await askAgain(progress, () => registeredDocuments([file?.digest ?? '']))
  for (const { documentId: id } of found.filter((one) => one.title === title)) {
    const { signatures, settings } = await askAgain(progress, () => client.getDocument({ id }))
    const [first] = signatures
    const isOwn = first?.userId === iin && first?.businessId === bin
    const isAsAsked = (['private', 'tempStorageAfterRegistration', 'forceArchive'] as const).every(
      (name) => (settings[name] || undefined) === asked[name],
    )
    if (isOwn && isAsAsked) return id
  }
  return ''
}

/** Asks of each row whose file is not signed yet, and says which would be refused. */
async function checkRows(given: Mailing, { isStopped, update }: Watch): Promise<Mailing> {
  let mailing = given
  const bar = progressBar(texts.checkingRows)
  for (const [row, recipient] of given.recipients.entries())
    for (const at of objectsFor(given.objects, recipient)) {
      const object = given.objects[at]
      const place = placeOf(row, at)
      if (isStopped() || !isRaw(object) || mailing.states[place] !== undefined) continue
      if (!bar.element.isConnected) say(progress, 'busy', make('p', {}, texts.checkingRows), bar.element)
      bar.to(row / given.recipients.length)
      const send = sendRequest(recipient, given.toSign)
      const request = { title: object.title, settings: given.settings ?? {}, send }
      const ask = () => client.checkRegistration({ request })
      try {
        await askAgain(progress, () => patiently(ask, isStopped))
      } catch (error) {
        const why = await failureText(error)
        mailing = { ...mailing, states: { ...mailing.states, [place]: { state: 'refused', why } } }
        update(mailing, row)
      }
    }
  return mailing
}

/** Signs the files that somebody gets, all with one choice of a key. */
async function sign(mailing: Mailing, byDigest: ReadonlyMap<string, File>): Promise<Mailing> {
  const { objects, recipients, states, settings = {} } = mailing
  const isWanted = (row: number, at: number) => states[placeOf(row, at)] === undefined && isRaw(objects[at])
  const wanted = new Set(recipients.flatMap((one, row) => objectsFor(objects, one).filter((at) => isWanted(row, at))))
  const contents = [...wanted].map((at) => {
    const { digest = '', name = '' } = objects[at]?.file ?? {}
    return { blob: byDigest.get(digest) ?? new Blob(), digest, name }
  })
  if (contents.length === 0) return mailing
  const signatures = await signAll(contents, progress)
  const signed = new Map([...wanted].map((at, index) => [at, signatures[index]]))
  return {
    ...mailing,
    objects: objects.map((object, at) => {
      const { title, file } = object
      const signature = signed.get(at)
      if (file === undefined || signature === undefined) return object
      const document = { title, description: '', ...signature, settings }
      return { ...object, file: { ...file, begun: newlyBegun(title, [file], { document }) } }
    }),
  }
}
