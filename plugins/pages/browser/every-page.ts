import { client, sayFailure } from './api.js'
import { fromBase64 } from './bytes.js'
import { byId, make, save, say } from './dom.js'
import { downloadEvidence } from './evidence.js'
import { storedOriginal } from './stored-original.js'
import { texts } from './texts.js'

/** Set while somebody is logged in, so that a page loaded without the session cookie is reloaded. */
const LOGGED_IN = 'logged in'
/** Buttons that any page may have. */
const BUTTONS =
  'button[data-copy], button[data-logout], button[data-signature], button[data-original], button[data-card]'

addEventListener('click', (event) => {
  const { target } = event
  if (!(target instanceof Element)) return
  const link = target.closest<HTMLAnchorElement>('a[data-choice], a[data-evidence]')
  if (link !== null) {
    event.preventDefault()
    if (link.dataset.evidence === undefined) chooseScheme(link)
    else void attempt(getEvidence(link.href))
    return
  }
  const button = target.closest<HTMLElement>(BUTTONS)
  if (button === null) return
  const { copy, signature, original, card } = button.dataset
  if (copy !== undefined) void copyText(button, copy)
  else if (signature !== undefined) void attempt(downloadSignature(signature))
  else if (original !== undefined) void attempt(downloadOriginal(original))
  else if (card !== undefined) void attempt(downloadCard(card))
  else void logOut()
})
for (const button of document.querySelectorAll<HTMLButtonElement>(BUTTONS)) button.disabled = false
if (document.querySelector('button[data-logout]') !== null) {
  // session.ts has reloaded this page.
  sessionStorage.removeItem('asked again')
  localStorage.setItem(LOGGED_IN, 'yes')
} else if (localStorage.getItem(LOGGED_IN) !== null && document.querySelector('.who') !== null)
  void import('./session.js')

/** Switches the colours without reloading the page, which would lose the input. */
function chooseScheme(link: HTMLAnchorElement): void {
  const { choice = 'auto', media = '' } = link.dataset
  // The answer sets the cookie of the choice.
  void fetch(link.href, { keepalive: true })
  document.documentElement.dataset.scheme = choice
  byId('dark', HTMLLinkElement).media = media
  for (const other of document.querySelectorAll('a[data-choice]')) other.removeAttribute('aria-current')
  link.setAttribute('aria-current', 'true')
}

async function copyText(button: HTMLElement, text: string): Promise<void> {
  const label = button.textContent
  // Without TLS, browsers have no other way to the clipboard.
  if (navigator.clipboard !== undefined) await navigator.clipboard.writeText(text)
  else {
    const field = make('textarea', {}, text)
    if (!(field instanceof HTMLTextAreaElement)) return
    document.body.append(field)
    field.select()
    document.execCommand('copy')
    field.remove()
  }
  button.textContent = texts.copied
  setTimeout(() => {
    button.textContent = label
  }, 1500)
}

async function logOut(): Promise<void> {
  await client.authenticate({ request: { logout: true } })
  localStorage.removeItem(LOGGED_IN)
  location.assign('/')
}

/** The element that shows how an action went. */
function place(): HTMLElement {
  const found = document.getElementById('actions-outcome') ?? document.getElementById('progress')
  if (found !== null) return found
  const made = make('div', { class: 'outcome', role: 'status' })
  byId('content', HTMLElement).prepend(made)
  return made
}

async function attempt(work: Promise<void>): Promise<void> {
  try {
    await work
    if (place().querySelector('.busy')) place().replaceChildren()
  } catch (error) {
    await sayFailure(place(), error)
  }
}

async function downloadSignature(which: string): Promise<void> {
  const [id = '', signId, signType] = which.split('/')
  const { signature } = await client.exportSignature({ id, signId: Number(signId) })
  if (signType === 'xml') save(new Blob([signature], { type: 'application/xml' }), `${id}-${signId}.xml`)
  else save(new Blob([fromBase64(signature)], { type: 'application/pkcs7-signature' }), `${id}-${signId}.cms`)
}

async function downloadOriginal(id: string): Promise<void> {
  const blob = await storedOriginal(id)
  const { title } = await client.getDocument({ id })
  save(blob, title === '' ? id : title)
}

async function downloadCard(id: string): Promise<void> {
  say(place(), 'busy', make('p', {}, texts.building))
  const { title } = await client.getDocument({ id })
  const query = { language: document.documentElement.lang, withoutDocumentVisualization: !/\.pdf$/i.test(title) }
  const { ddc } = await client.buildDdc({ id, query, upload: new Uint8Array() })
  save(new Blob([fromBase64(ddc)], { type: 'application/pdf' }), `${id}.pdf`)
}

async function getEvidence(address: string): Promise<void> {
  say(place(), 'busy', make('p', {}, texts.bundling))
  await downloadEvidence(address)
}
