import { make, say, show } from './dom.js'
import { texts } from './texts.js'

const KEY = 'done'

/** What a form has done, when the page is read again. */
export type Done = 'saved' | 'sent' | 'removed'

interface Kept {
  readonly page: string
  /** Where the form says how it went. */
  readonly place: string
  readonly done: Done
}

/** Keeps what was done until the page has been read again. */
export function keepDone(place: HTMLElement, done: Done): void {
  const kept: Kept = { page: location.pathname, place: place.id, done }
  sessionStorage.setItem(KEY, JSON.stringify(kept))
}

/** Says what was done before the page was read again. */
export function sayDone(): void {
  const kept: Kept | null = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
  sessionStorage.removeItem(KEY)
  if (kept?.page !== location.pathname) return
  // Until then the browser scrolls to where the page was.
  if (document.readyState === 'complete') tell(kept)
  else addEventListener('load', () => tell(kept), { once: true })
}

/** At the form, if it is still there; else the focus goes to the state of the page, which says it. */
function tell({ place: id, done }: Kept): void {
  const place = document.getElementById(id)
  const state = document.getElementById('state')
  const target = place ?? state ?? document.querySelector<HTMLElement>('main .outcome')
  if (target === null) return
  if (target !== state) say(target, 'good', make('p', {}, texts[done]))
  const hidden = target.closest('details')
  if (hidden !== null) hidden.open = true
  target.tabIndex = -1
  target.focus({ preventScroll: true })
  show(target)
}
