import { size } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import type { Item } from '../items.js'
import { mayRead } from '../reading.js'
import { unlessRefused } from '../unless-refused.js'
import type { Visit } from '../visit.js'
import { data, outcome } from './controls.js'

/** Originals up to this size are shown as soon as the page is at rest. */
const SHOWN_AT_ONCE = 2 * 2 ** 20

/** What was sent: the document or the documents of the package, with originals to look at where the visitor may. */
export async function sentOriginals(visit: Visit, item: Item): Promise<Html> {
  const { use, caller, texts, language } = visit
  const { document: words, deal: text } = texts
  const ids = item.packageId === undefined ? [item.documentId ?? ''] : (item.package?.documentsIds ?? [])
  const rows: Html[] = []
  const shown: string[] = []
  for (const id of ids) {
    const document = item.document ?? (await unlessRefused(use.getDocument.execute(caller, { id })))
    if (document === undefined) {
      rows.push(html`<li><span class="muted">${texts.package.hiddenDocument}</span></li>`)
      continue
    }
    const isReadable = await mayRead(visit, id, document)
    if (isReadable && document.signedDataSize <= SHOWN_AT_ONCE) shown.push(id)
    rows.push(html`<li><span><a href="/d/${id}"><bdi>${document.title || words.untitled}</bdi></a> ${document.signedDataSize > 0 ? html`<small>${size(language, document.signedDataSize)}</small>` : nothing}</span>
${isReadable ? html`<span class="actions"><button type="button" class="small" data-live disabled data-look="${id}">${words.look}</button><button type="button" class="small" data-live disabled data-original="${id}">${words.downloadOriginal}</button></span>` : html`<span class="hint">${text.originalNotKept}</span>`}</li>`)
  }
  return html`<section class="card"><h2>${text.original}</h2><ul class="rows">${rows}</ul>${outcome('actions-outcome')}<div id="looked"></div>
${data('shown', { id: 'incomingId' in item && ids.length === 1 ? shown[0] : undefined })}</section>`
}
