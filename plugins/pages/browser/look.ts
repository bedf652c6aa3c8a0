import { sayFailure } from './api.js'
import { byId, make, own, save, say } from './dom.js'
import { texts } from './texts.js'

/** As much of a text as is shown: more is read elsewhere. */
const SHOWN_TEXT = 256 * 2 ** 10
const IMAGES: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
]

/** A file that somebody wants to see. */
interface Seen {
  readonly blob: Blob
  readonly name: string
}

/** Makes the buttons of documents show what `find` answers for them, in the place of this page for that. */
export function offerLooks(find: (id: string) => Promise<Seen>): void {
  const all = byId('looked', HTMLElement)
  addEventListener('click', async ({ target }) => {
    const button = target instanceof Element ? target.closest<HTMLElement>('[data-look]') : null
    if (button === null) return
    // Each has a place of its own, and the last one is seen, whichever comes first.
    const place = make('div')
    all.replaceChildren(place)
    say(place, 'busy', make('p', {}, texts.fetching))
    try {
      await look(place, await find(button.dataset.look ?? ''))
      place.querySelector('h3')?.focus()
    } catch (error) {
      await sayFailure(place, error)
    }
  })
  for (const button of document.querySelectorAll<HTMLButtonElement>('button[data-look]')) button.disabled = false
}

/**
 * Shows what a file holds, as far as that is safe: pictures, text, and PDF where the browser reads it. What it is its
 * first bytes say, and nothing else is believed, so that nothing of it runs here; HTML is shown as the text that it is.
 */
export async function look(place: HTMLElement, { blob, name }: Seen): Promise<void> {
  const shown = await showing(blob, name)
  const keep = make('button', { type: 'button', class: 'small' }, texts.saveIt)
  keep.addEventListener('click', () => save(new Blob([blob], { type: 'application/octet-stream' }), name))
  place.replaceChildren(
    make('section', { class: 'look' }, make('h3', { tabindex: '-1' }, own(name)), ...shown, make('p', {}, keep)),
  )
}

async function showing(blob: Blob, name: string): Promise<HTMLElement[]> {
  const start = String.fromCharCode(...new Uint8Array(await blob.slice(0, 16).arrayBuffer()))
  if (start.startsWith('%PDF-')) return pdf(blob, name)
  const image = IMAGES.find(([, pattern]) => pattern.test(start))?.[0]
  if (image !== undefined) return [make('img', { src: addressOf(blob, image), alt: name })]
  const text = await textOf(blob)
  if (text === undefined) return [make('p', {}, texts.cannotShow)]
  const whole = make('pre', { dir: 'auto', tabindex: '0', role: 'region', 'aria-label': name }, text)
  return blob.size > SHOWN_TEXT ? [make('p', { class: 'note' }, texts.onlyBeginning), whole] : [whole]
}

function pdf(blob: Blob, name: string): HTMLElement[] {
  if (!navigator.pdfViewerEnabled) return [make('p', {}, texts.cannotShow)]
  const src = addressOf(blob, 'application/pdf')
  const alone = make('a', { href: src, target: '_blank' }, texts.openAlone)
  return [make('iframe', { src, title: name }), make('p', {}, alone)]
}

/** An address of this page alone for bytes of a kind that was recognized; it lasts as long as the page. */
const addressOf = (blob: Blob, type: string): string => URL.createObjectURL(new Blob([blob], { type }))

/** The beginning of a text in UTF-8; `undefined` for what is none. */
async function textOf(blob: Blob): Promise<string | undefined> {
  try {
    const bytes = await blob.slice(0, SHOWN_TEXT).arrayBuffer()
    // A character that is cut at the end is no fault.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return hasControls(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** Whether something in it is neither written nor white space. */
function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13) return true
  }
  return false
}
