import { sayFailure, Told } from './api.js'
import { newKey } from './bytes.js'
import { byId, dataOf, make, onFiles, own, save, say, show, whileInert } from './dom.js'
import { isBegun, KeptMailing, type Mailing, objectsFor, type SentObject, sendingsOf } from './mailing.js'
import { fillState, lineOf, resultRows } from './mailing-lines.js'
import { csvOf, recipientsIn, textOf } from './recipients-file.js'
import { keepingIn } from './registration-settings.js'
import { sendAll } from './send-all.js'
import { onSubmit } from './submit.js'
import { texts } from './texts.js'

const MAX_ROWS = 1000

const objects = dataOf<readonly SentObject[]>('objects')
const { iin, bin } = dataOf<{ readonly iin: string; readonly bin?: string }>('limits')
const form = byId('send-many', HTMLFormElement)
const list = byId('recipients', HTMLElement)
const progress = byId('progress', HTMLElement)
const choice = byId('choice', HTMLElement)
const stop = byId('stop', HTMLButtonElement)
const result = byId('result', HTMLButtonElement)
const anew = byId('anew', HTMLButtonElement)
const kept = new KeptMailing(objects, [iin, bin].filter(Boolean).join(' '))

/** Files are signed first, by scripts that are loaded only for them. */
const hasFiles = objects.length === 0
const [fileModule, ready] = hasFiles
  ? await Promise.all([import('./files-to-send.js'), import('./files-ready.js')])
  : [undefined, undefined]
const files = fileModule && new fileModule.FilesToSend(readAgain)
ready?.prepareWays()

/** The text of the list that was chosen last. */
let listed: string | undefined
let mailing = kept.find()
let isStopped = false

onFiles('list', ([file]) => {
  const read = async () => {
    listed = textOf(new Uint8Array((await file?.arrayBuffer()) ?? []))
    readAgain()
  }
  void read().catch((error) => sayFailure(progress, error))
})
stop.addEventListener('click', () => {
  isStopped = true
})
result.addEventListener('click', () => {
  if (mailing !== undefined) save(new Blob([csvOf(resultRows(mailing))], { type: 'text/csv' }), 'recipients.csv')
})
anew.addEventListener('click', () => {
  kept.dismiss()
  mailing = undefined
  listed = undefined
  files?.forget()
  progress.replaceChildren()
  showAll()
})
onSubmit(form, progress, async () => {
  if (files !== undefined && files.names.length === 0 && mailing === undefined)
    throw new Told(texts.chooseFiles, 'files')
  if (mailing === undefined) throw new Told(texts.chooseList, 'list')
  if (mailing.recipients.some(({ problem }) => problem !== undefined)) throw new Told(texts.listHasFaults, 'list')
  if (sendingsOf(mailing) === 0) throw new Told(texts.chooseFiles, 'files')
  const data = new FormData(form)
  const chosen = { toSign: data.get('wanted') === 'sign', ...(hasFiles && { settings: keepingIn(data) }) }
  const parts = form.querySelectorAll<HTMLElement>('#choice, #files-choice, #ways')
  const begun = isBegun(mailing) ? mailing : { ...mailing, ...chosen }
  await whileInert(parts, () => run(begun))
  return undefined
})
showAll()

/** Reads the list once it or the files are others: every row is checked before anything is sent. */
function readAgain(): void {
  if (mailing === undefined || !isBegun(mailing)) {
    mailing = undefined
    if (listed !== undefined) take(listed)
  }
  showAll()
}

function take(text: string): void {
  const recipients = recipientsIn(text, Date.now(), files?.names)
  const all = files?.objects ?? objects
  // A file that no row names is neither signed nor registered.
  const named = all.filter((_, at) => recipients.some((one) => objectsFor(all, one).includes(at)))
  const found = { key: newKey(), objects: named, recipients, toSign: true, states: {} }
  const sendings = Math.max(sendingsOf(found), recipients.length)
  if (recipients.length === 0 || sendings > MAX_ROWS) {
    const why = recipients.length === 0 ? texts.listIsEmpty : texts.listTooLong(MAX_ROWS, sendings)
    say(progress, 'bad', make('p', {}, why))
    show(progress)
    return
  }
  mailing = found
  const faults = recipients.filter(({ problem }) => problem !== undefined).length
  const unnamed = files === undefined ? [] : all.filter((one) => !named.includes(one)).map(({ title }) => title)
  const notSent = unnamed.length === 0 ? undefined : make('p', {}, own(texts.filesOfNobody(unnamed)))
  if (faults > 0) say(progress, 'bad', make('p', {}, texts.listFaults(faults)), notSent)
  else say(progress, notSent ? 'warn' : 'plain', make('p', {}, texts.listIsRight(recipients.length)), notSent)
}

async function run(begun: Mailing): Promise<void> {
  isStopped = false
  stop.hidden = false
  try {
    await sendAll(begun, {
      progress,
      isStopped: () => isStopped,
      update: (next, row) => {
        mailing = kept.keep(next)
        const place = row === undefined ? null : list.querySelector<HTMLElement>(`[data-state="${row}"]`)
        if (place === null || row === undefined) showAll()
        else fillState(place, row, next)
      },
      ...(files && ready && { files: { chosen: files, ...ready } }),
    })
  } finally {
    stop.hidden = true
    showAll()
  }
}

function showAll(): void {
  const all = mailing
  const hasBegun = all !== undefined && isBegun(all)
  choice.hidden = hasBegun
  list.closest('table')?.toggleAttribute('hidden', all === undefined)
  result.hidden = !hasBegun
  anew.hidden = all === undefined
  // What is registered needs neither its file nor a signature.
  const isNeeded = all === undefined || all.objects.some(({ id }) => id === '') || !hasBegun
  for (const part of form.querySelectorAll<HTMLElement>('#files-choice .drop, #ways')) part.hidden = !isNeeded
  files?.show(byId('chosen', HTMLElement), hasBegun ? all.objects : undefined)
  list.replaceChildren(...(all?.recipients ?? []).map((one, row) => lineOf(one, row, all as Mailing, hasFiles)))
}
