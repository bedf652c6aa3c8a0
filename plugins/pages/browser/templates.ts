import type { SaveTemplateRequest, Template } from '@signed-registry/client'
import { client, sayFailure, Told } from './api.js'
import { useTitles } from './document-titles.js'
import { byId, make, say } from './dom.js'
import { addressesIn, momentIn, recipientIn, textIn } from './recipient.js'
import { showSigners, signersIn } from './signers.js'
import { texts } from './texts.js'

const DAY_MS = 24 * 60 * 60_000
const ZONE_MS = 5 * 60 * 60_000

const form = byId('new', HTMLFormElement)
const choice = byId('template', HTMLSelectElement)
const name = byId('template-name', HTMLInputElement)
const place = byId('template-outcome', HTMLElement)
const box = byId('templates', HTMLDetailsElement)
let known: readonly Template[] = []
let reading: Promise<void> | undefined

box.addEventListener('toggle', () => void attempt(list))
act('template-use', async () => {
  const chosen = known.find(({ templateId }) => templateId === choice.value)
  if (chosen === undefined) throw new Told(texts.chooseTemplate)
  fill(chosen)
})
act('template-save', async () => {
  if (name.value.trim() === '') throw new Told(texts.nameTemplate)
  await client.saveTemplate({ request: templateIn(new FormData(form)) })
  reading = undefined
  await list()
  say(place, 'good', make('p', {}, texts.saved))
})
void attempt(useNamed)

/** A template that the address names is used at once. */
async function useNamed(): Promise<void> {
  const wanted = new URLSearchParams(location.search).get('template')
  if (wanted === null) return
  box.open = true
  await list()
  choice.value = wanted
  const chosen = known.find(({ templateId }) => templateId === wanted)
  if (chosen !== undefined) fill(chosen)
}

function act(id: string, work: () => Promise<void>): void {
  const button = byId(id, HTMLButtonElement)
  button.disabled = false
  button.addEventListener('click', () => void attempt(work))
}

function attempt(work: () => Promise<void>): Promise<void> {
  return work().catch((error) => sayFailure(place, error))
}

/** Reads the templates once, when they are needed. */
function list(): Promise<void> {
  reading ??= client.listTemplates().then(({ templates }) => {
    known = templates
    const options = templates.map((one) => make('option', { value: one.templateId }, one.name))
    choice.replaceChildren(make('option', { value: '' }, texts.noTemplate), ...options)
  })
  return reading
}

/** What the form says now. The person who registers signs first and is not stored in the template. */
function templateIn(data: FormData): SaveTemplateRequest {
  const send = sendIn(data)
  const emails = addressesIn(data, 'emails')
  const [title, description] = [textIn(data, 'title'), textIn(data, 'description')]
  const documents = [...document.querySelectorAll<HTMLElement>('#chosen li')].flatMap(
    ({ dataset }) => dataset.title ?? [],
  )
  return {
    name: name.value.trim(),
    ...(title !== '' && { title }),
    ...(description !== '' && { description }),
    ...(documents.length > 0 && { documents }),
    settings: { private: data.has('private'), signWholePackage: data.has('whole') },
    documentsSettings: { ...signersIn([]), forceArchive: data.has('archive') },
    ...(send && { send }),
    ...(emails.length > 0 && { emails }),
  }
}

/** What is said to the receiver; a deadline is kept as days from now. */
function sendIn(data: FormData): SaveTemplateRequest['send'] {
  const to = recipientIn(data)?.to
  const comment = textIn(data, 'comment')
  const send = {
    ...(to !== undefined && { to }),
    ...(comment !== '' && { comment }),
    ...(data.get('wanted') === 'sign' && { toSign: true }),
  }
  if (textIn(data, 'deadline') === '') return send
  const days = Math.ceil((momentIn(data, 'deadline') - Date.now()) / DAY_MS)
  return days > 0 ? { ...send, days: Math.min(days, 366) } : send
}

function fill({
  name: called,
  title,
  description,
  documents = [],
  settings,
  documentsSettings = {},
  send = {},
  emails,
}: Template): void {
  name.value = called
  useTitles(documents)
  const { to = '', comment = '', toSign = false, days } = send
  enter('title', title ?? '')
  enter('description', description ?? '')
  enter('emails', emails?.join(', ') ?? '')
  tick('private', settings?.private ?? false)
  tick('whole', settings?.signWholePackage ?? false)
  tick('archive', documentsSettings.forceArchive ?? false)
  if (to !== '') enter('toKind', to.slice(0, 3))
  enter('toNumber', to.slice(3))
  enter('comment', comment)
  enter('deadline', days === undefined ? '' : new Date(Date.now() + days * DAY_MS + ZONE_MS).toISOString().slice(0, 16))
  form.querySelector<HTMLInputElement>(`[name=wanted][value=${toSign ? 'sign' : 'accept'}]`)?.click()
  const { signersRequirements = [], sequentialSignersRequirements = false } = documentsSettings
  showSigners(signersRequirements, sequentialSignersRequirements)
  for (const part of form.querySelectorAll<HTMLDetailsElement>(':scope > details')) part.open = true
  say(place, 'good', make('p', {}, texts.templateUsed(called)))
}

function enter(field: string, value: string): void {
  const found = form.elements.namedItem(field)
  if (found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement || found instanceof HTMLSelectElement)
    found.value = value
}

function tick(field: string, isOn: boolean): void {
  const found = form.elements.namedItem(field)
  if (found instanceof HTMLInputElement) found.checked = isOn
}
