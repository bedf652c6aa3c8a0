import { make, own, save } from './dom.js'
import { texts } from './texts.js'

/** Longest text that is shown in the page. */
const SHOWN_TEXT = 256 * 2 ** 10
const IMAGES: readonly (readonly [string, RegExp])[] = [
  ['image/png', /^\x89PNG\r\n/],
  ['image/jpeg', /^\xff\xd8\xff/],
  ['image/gif', /^GIF8[79]a/],
  ['image/webp', /^RIFF[\s\S]{4}WEBP/],
]

/** A file to show. */
export interface Seen {
  readonly blob: Blob
  readonly name: string
}

/**
 * Shows a file as far as that is safe: pictures, text, and PDF if the browser can. Its type is detected by its first bytes
 * only, so that nothing in it runs here; HTML is shown as text.
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

/** A blob URL for bytes of a recognized type. */
const addressOf = (blob: Blob, type: string): string => URL.createObjectURL(new Blob([blob], { type }))

/** The beginning of a UTF-8 text; `undefined` for anything else. */
async function textOf(blob: Blob): Promise<string | undefined> {
  try {
    const bytes = await blob.slice(0, SHOWN_TEXT).arrayBuffer()
    // The last character may be cut off.
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes, { stream: true })
    return hasControls(text) ? undefined : text
  } catch {
    return undefined
  }
}

/** Whether it contains control characters other than white space. */
function hasControls(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code < 32 && code !== 9 && code !== 10 && code !== 12 && code !== 13) return true
  }
  return false
}
