import { isProblem } from '@signed-registry/client'
import { Told } from './api.js'
import { make, own } from './dom.js'

/** An element of a form that a person fills in. */
export type Entry = HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement

const isEntry = (found: unknown): found is Entry =>
  found instanceof HTMLInputElement || found instanceof HTMLTextAreaElement || found instanceof HTMLSelectElement

/** Fields by the code of an error that says none: names of fields of the pages. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  invalidReceiver: ['toNumber'],
  alreadySent: ['toNumber'],
  tooManyWaitingItems: ['toNumber'],
  invalidDeadline: ['deadline'],
  invalidDocumentTitle: ['title'],
  invalidNotificationEmail: ['emails', 'email'],
  tooManyNotificationEmails: ['emails'],
  mailLimitReached: ['emails'],
  commentOrStatusRequired: ['comment'],
}

/** Names in errors that forms of the pages have other names for. */
const OTHER_NAMES: Readonly<Record<string, string>> = {
  documentAccess: 'access',
  packageAccess: 'access',
  packageSettings: 'rights',
  'emailNotifications.to': 'emails',
  'emailNotifications.language': 'emails',
}

/** The field of a form that an error is about, if any: that of the page, or by the details or the code of the registry. */
export function entryFor(form: HTMLFormElement, error: unknown): Entry | undefined {
  if (error instanceof Told) return typeof error.at === 'string' ? entryOf(form, error.at) : error.at
  if (!isProblem(error)) return undefined
  const { field, setting } = error.details ?? {}
  const named = [field, setting].flatMap((name) => (typeof name === 'string' ? namesOf(name) : []))
  for (const name of [...named, ...(FIELDS[error.code] ?? [])]) {
    const entry = entryOf(form, name)
    if (entry !== undefined) return entry
  }
  return undefined
}

/** `documentsAccess.iins` as forms may name it: `documentsAccess.iins`, `documentsAccess-iins`, `iins`. */
function namesOf(path: string): string[] {
  const parts = path.split('.')
  return [OTHER_NAMES[path] ?? path, path, parts.join('-'), `${path}-iins`, parts.at(-1) ?? path]
}

const entryOf = (form: HTMLFormElement, name: string): Entry | undefined => {
  const found = form.elements.namedItem(name)
  const first = found instanceof RadioNodeList ? found[0] : found
  return isEntry(first) && first.type !== 'hidden' ? first : undefined
}

/** The value that an error is about, of a field that takes several: one a line where it has lines, else between commas. */
export function wrongValue(entry: Entry, error: unknown): HTMLElement | undefined {
  const index = isProblem(error) ? error.details?.index : undefined
  const value = typeof index === 'number' ? valueAt(entry, index) : undefined
  return value === undefined ? undefined : make('strong', {}, own(value))
}

function valueAt(entry: Entry, index: number): string | undefined {
  const separator = /\n/.test(entry.value) ? /\n+/ : /[\s,;]+/
  return entry.value.trim().split(separator).filter(Boolean)[index]
}

/** Says an error at its field, and moves the focus there; it is told by a screen reader with the field. */
export function mark(entry: Entry, ...message: readonly (Node | string | undefined)[]): void {
  unmark(entry)
  const id = `${entry.id || entry.name}-fault`
  const said = make('div', { class: 'fault', id, role: 'alert' }, ...message)
  const place = entry.closest('.field') ?? entry
  if (place === entry) entry.after(said)
  else place.append(said)
  entry.setAttribute('aria-invalid', 'true')
  entry.setAttribute('aria-describedby', [entry.getAttribute('aria-describedby'), id].filter(Boolean).join(' '))
  // A field in a closed part of the form cannot take the focus.
  for (let part = entry.closest('details'); part !== null; part = part.parentElement?.closest('details') ?? null)
    part.open = true
  entry.focus()
  entry.addEventListener('input', () => unmark(entry), { once: true })
}

/** Forgets what was said of the fields of a form. */
export function unmarkAll(form: HTMLFormElement): void {
  for (const entry of form.querySelectorAll('[aria-invalid=true]')) unmark(entry)
}

function unmark(entry: Element): void {
  if (entry.getAttribute('aria-invalid') !== 'true') return
  entry.removeAttribute('aria-invalid')
  const ids = (entry.getAttribute('aria-describedby') ?? '').split(' ')
  for (const id of ids.filter((one) => one.endsWith('-fault'))) document.getElementById(id)?.remove()
  const rest = ids.filter((one) => !one.endsWith('-fault')).join(' ')
  if (rest === '') entry.removeAttribute('aria-describedby')
  else entry.setAttribute('aria-describedby', rest)
}
