import { size } from '../formats.js'
import { type Html, html } from '../html.js'
import type { Signing } from '../to-sign.js'
import type { Visit } from '../visit.js'
import { dropZone, outcome } from './controls.js'

/** What is signed, to be read: the originals that the registry gives, or where to drop one's own. */
export function originalsToRead(visit: Visit, { documents, packageId }: Signing, areStored: boolean): Html {
  const { texts, language, url } = visit
  const { sign: text, document: words } = texts
  const isPackage = packageId !== undefined || documents.length > 1
  const areKept = documents.every((one) => one.isKept)
  const rows = () =>
    documents.map(
      (one) =>
        html`<li><span><bdi>${one.title || words.untitled}</bdi> <small>${size(language, one.size)}</small></span><span class="actions"><button type="button" class="small" disabled data-look="${one.documentId}">${words.look}</button><button type="button" class="small" disabled data-original="${one.documentId}">${words.downloadOriginal}</button></span></li>`,
    )
  const own = () =>
    html`<p>${areKept ? html`${text.originalsForKnown} <a href="/login?next=${encodeURIComponent(url)}">${texts.nav.login}</a>` : isPackage ? text.originalsNeeded : text.originalNeeded}</p>
${dropZone({ id: 'originals', text: isPackage ? texts.new.drop : texts.check.drop, choose: words.choose, multiple: documents.length > 1, hint: text.read })}<ul class="rows" id="chosen" aria-live="polite"></ul>${outcome('choice')}`
  return html`<section class="card reading"><h2>${text.original}</h2>
${areStored ? html`<p class="hint">${text.originalStored}</p><ul class="rows">${rows()}</ul>` : own()}<div id="looked"></div></section>`
}
