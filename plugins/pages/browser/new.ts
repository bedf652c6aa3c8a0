import type { DocumentSettings } from '@signed-registry/client'
import { client, sayFailure, Told } from './api.js'
import { toBase64 } from './bytes.js'
import { chosenRow, withoutEmpty } from './chosen-files.js'
import { documentTitle } from './document-titles.js'
import { byId, dataOf, make, onFiles, own, say, show, whileInert } from './dom.js'
import { hashOf } from './hash.js'
import { hashFiles } from './hash-files.js'
import { addressesIn, recipientIn, textIn } from './recipient.js'
import { offerRecipients } from './recipients.js'
import { goOn, soFar } from './registration.js'
import { keepingIn } from './registration-settings.js'
import { askAgain } from './retry.js'
import { prepareSigners, signersIn } from './signers.js'
import { prepareWays, showWay, signAll } from './signing.js'
import { onSubmit } from './submit.js'
import { texts } from './texts.js'
import { prepareTitle, titleOf } from './titles.js'
import { addressOf, allBegun, type Begun, forget, hasArrived, newlyBegun, remember } from './unfinished-registration.js'

const { files: most, replaces } = dataOf<{ readonly files: number; readonly replaces?: string }>('limits')

const form = byId('new', HTMLFormElement)
const progress = byId('progress', HTMLElement)
const title = byId('title', HTMLInputElement)
let files: File[] = []
/** The title that the page suggested. */
let suggested = ''
/** Settles when the files chosen so far were compared with unfinished registrations. */
let reading = Promise.resolve()

prepareWays()
prepareSigners()
offerRecipients()
prepareTitle(title)
addEventListener('document-titles', showFiles)
showBegun()
onFiles('files', (more) => {
  const hasBegun = allBegun().length > 0
  const { full, faults } = withoutEmpty(more)
  const all = most === 1 ? full : [...files, ...full]
  files = all.slice(0, most)
  if (all.length > most) faults.push(texts.tooManyFiles(most))
  if (faults.length > 0) {
    say(progress, 'bad', ...faults.map((fault) => make('p', {}, own(fault))))
    show(progress)
  }
  showFiles()
  if (hasBegun) reading = reading.then(() => goOnWith(full)).catch((error) => sayFailure(progress, error))
})
onSubmit(form, progress, async () => {
  await reading
  if (files.length === 0) throw new Told(texts.chooseFiles, 'files')
  await held(async () => {
    const digests = await hashFiles(files, progress)
    const chosen = new Map(files.map((file, index) => [digests[index] ?? '', file]))
    if (!(await goOnAndTell(await begin(digests), chosen))) return
    files = []
    form.reset()
    showWay()
    showFiles()
  })
  return undefined
})

/** Disables the form during a registration. */
async function held(work: () => Promise<unknown>): Promise<void> {
  try {
    await whileInert(form.querySelectorAll<HTMLElement>(':scope > fieldset, :scope > details'), work)
  } finally {
    showBegun()
  }
}

function showFiles(): void {
  suggestTitle()
  byId('whole-choice', HTMLElement).hidden = files.length < 2
  byId('chosen', HTMLElement).replaceChildren(
    ...files.map((file, index) => {
      const title = documentTitle(file, index)
      const remove = () => {
        files = files.filter((_, at) => at !== index)
        showFiles()
      }
      return chosenRow(file, title, remove, files.length > 1 && title !== titleOf(file.name))
    }),
  )
}

/** Suggests a title from the file names, until the person enters one. */
function suggestTitle(): void {
  const [first] = files
  const more = files.length - 1
  const next =
    first === undefined ? '' : more === 0 ? titleOf(first.name) : texts.packageTitle(titleOf(first.name), more)
  if (title.value !== '' && title.value !== suggested) return
  suggested = titleOf(next)
  title.value = suggested
}

async function signatures(digests: readonly string[]) {
  const signed = await signAll(
    files.map((blob, index) => ({ blob, name: blob.name, digest: digests[index] ?? '' })),
    progress,
  )
  say(progress, 'busy', make('p', {}, texts.registering))
  return signed
}

function settingsIn(data: FormData): DocumentSettings {
  const signers = signersIn()
  return {
    ...keepingIn(data),
    ...(signers?.signersRequirements?.length && signers),
  }
}

function commonIn(data: FormData) {
  const send = recipientIn(data)
  const to = addressesIn(data, 'emails')
  return { ...(send && { send }), ...(to.length > 0 && { emailNotifications: { to } }) }
}

/** Has everything signed, and saves the registration before it begins. */
async function begin(digests: readonly string[]): Promise<Begun> {
  const data = new FormData(form)
  const common = commonIn(data)
  const settings = settingsIn(data)
  const [name, description] = [titleOf(textIn(data, 'title')), textIn(data, 'description')]
  const asked = { title: name, description, settings, ...common, isPackage: files.length > 1 }
  await askAgain(progress, () => client.checkRegistration({ request: asked }))
  const signed = await signatures(digests)
  const [signature] = signed
  if (signature === undefined) throw new Told(texts.cancelled)
  const whole = {
    title: name,
    description,
    documents: files.map((file, index) => ({ title: documentTitle(file, index), description: '' })),
    settings: { private: data.has('private'), signWholePackage: data.has('whole') },
    documentsSettings: settings,
    ...common,
  }
  const single = {
    title: name || titleOf(files[0]?.name ?? ''),
    description,
    ...signature,
    ...common,
    settings,
    ...(replaces !== undefined && { replaces }),
  }
  const each = files.map((file, index) => ({ name: file.name, digest: digests[index] ?? '' }))
  const request = files.length > 1 ? { package: whole, signatures: signed } : { document: single }
  return remember(newlyBegun(single.title, each, request))
}

/** Continues a registration and shows its progress; true when it is finished. */
async function goOnAndTell(begun: Begun, chosen: ReadonlyMap<string, File>): Promise<boolean> {
  const { begun: now, isFinished } = await goOn(begun, chosen, progress)
  if (!isFinished) {
    say(progress, 'plain', ...soFar(now), make('p', {}, texts.chooseAgain))
    return false
  }
  const label = now.registered?.packageId === undefined ? texts.open : texts.openPackage
  const link = make('a', { class: 'button strong', href: now.registered ? addressOf(now.registered) : '/' }, label)
  say(progress, 'good', make('h2', {}, texts.done), make('p', {}, own(now.title)), make('p', {}, link))
  link.focus()
  return true
}

/** Lists unfinished registrations: how far they are, and what they need. */
function showBegun(): void {
  const all = allBegun()
  byId('unfinished', HTMLElement).hidden = all.length === 0
  byId('unfinished-list', HTMLElement).replaceChildren(...all.map(begunRow))
}

function begunRow(begun: Begun): HTMLElement {
  const isMissing = begun.files.some((_, index) => !hasArrived(begun, index))
  const dismiss = make('button', { type: 'button', class: 'small' }, texts.dismiss)
  dismiss.addEventListener('click', () => {
    forget(begun.key)
    showBegun()
  })
  const proceed = make('button', { type: 'button', class: 'small strong' }, texts.goOn)
  proceed.addEventListener('click', () => {
    void held(() => goOnAndTell(begun, new Map())).catch((error) => sayFailure(progress, error))
  })
  return make(
    'li',
    {},
    make('div', {}, make('strong', {}, own(begun.title)), ...soFar(begun)),
    make('p', { class: 'actions' }, isMissing ? texts.chooseAgain : proceed, dismiss),
  )
}

/** Resumes an unfinished registration that one of these files belongs to. */
async function goOnWith(more: readonly File[]): Promise<void> {
  const chosen = new Map<string, File>()
  for (const file of more) chosen.set(toBase64(await hashOf(file)), file)
  for (const begun of allBegun()) {
    const needed = begun.files.filter(({ digest }, index) => chosen.has(digest) && !hasArrived(begun, index))
    if (needed.length === 0) continue
    const taken = needed.map(({ digest }) => chosen.get(digest))
    files = files.filter((one) => !taken.includes(one))
    showFiles()
    await held(() => goOnAndTell(begun, chosen))
  }
}
