import { failureText } from './api.js'
import { make, progressBar, say } from './dom.js'
import type * as filesReady from './files-ready.js'
import type { FilesToSend } from './files-to-send.js'
import { type Mailing, objectsFor, placeOf, type SentObject, type SentState, sendingsOf } from './mailing.js'
import { sendOne } from './send-one.js'
import { texts } from './texts.js'

/** Where a mailing is shown while it goes on. */
interface Sending {
  readonly progress: HTMLElement
  readonly isStopped: () => boolean
  /** Keeps the mailing, and shows what became of a row. */
  readonly update: (mailing: Mailing, row?: number) => void
  /** Where files are sent: what is chosen, and what makes documents of them. */
  readonly files?: Pick<typeof filesReady, 'makeReady' | 'registerFile'> & { readonly chosen: FilesToSend }
}

/** Sends everything that was not sent, one after the other; what was refused is tried once more. Says how it ended. */
export async function sendAll(given: Mailing, sending: Sending): Promise<void> {
  const { progress, isStopped, update, files } = sending
  const waiting = Object.entries(given.states).filter(([, { state }]) => state !== 'refused')
  let mailing: Mailing = { ...given, states: Object.fromEntries(waiting) }
  const ready = await files?.makeReady(mailing, files.chosen, sending)
  if (ready !== undefined) mailing = ready.mailing
  update(mailing)
  const total = sendingsOf(mailing)
  const bar = progressBar(texts.sendingMany)
  const left = make('p', {})
  const refused = new Map<number, SentState>()
  for (const [row, recipient] of mailing.recipients.entries())
    for (const at of objectsFor(mailing.objects, recipient)) {
      const place = placeOf(row, at)
      if (isStopped() || mailing.states[place] !== undefined) continue
      const done = Object.keys(mailing.states).length
      left.textContent = texts.sentOf(done, total)
      bar.to(done / total)
      if (!bar.element.isConnected) say(progress, 'busy', left, bar.element)
      const outcome = refused.get(at) ?? (await sendAt(at, place, recipient))
      mailing = { ...mailing, states: { ...mailing.states, [place]: outcome } }
      update(mailing, row)
    }
  tell(mailing, total)

  async function sendAt(at: number, place: string, recipient: Mailing['recipients'][number]): Promise<SentState> {
    const object = await registered(at)
    if ('state' in object) return object
    return sendOne(mailing, recipient, object, place, progress, isStopped)
  }

  /** The object, registered if it is a file; or why that is refused, which holds for all of its recipients. */
  async function registered(at: number): Promise<SentObject | SentState> {
    const object = mailing.objects[at]
    if (object === undefined) throw new Error(`There is no object ${at}`)
    if (object.id !== '' || ready === undefined || files === undefined) return object
    const replaced = (other: SentObject) => {
      mailing = { ...mailing, objects: mailing.objects.map((one, index) => (index === at ? other : one)) }
      update(mailing)
      return other
    }
    try {
      return replaced(await files.registerFile(object, ready.byDigest))
    } catch (error) {
      // What is refused has to be signed anew.
      const { name = '', digest = '' } = object.file ?? {}
      replaced({ ...object, file: { name, digest } })
      const state = { state: 'refused', why: await failureText(error) } as const
      refused.set(at, state)
      return state
    }
  }

  function tell({ states }: Mailing, all: number): void {
    const found = Object.values(states)
    const failed = found.filter(({ state }) => state === 'refused').length
    const isFinished = found.length === all
    say(
      progress,
      isFinished ? (failed === 0 ? 'good' : 'warn') : 'plain',
      make('p', {}, isFinished ? texts.sentAll(all - failed, failed) : texts.sentOf(found.length, all)),
    )
  }
}
