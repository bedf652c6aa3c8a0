import { html, nothing } from '../html.js'
import { outcome } from '../views/controls.js'
import { evidenceLink } from '../views/evidence.js'
import type { Page } from '../visit.js'

/** Documents on a page of exports. */
const MAX_DOCUMENTS = 50

/** `/export?id=…`: the evidence of several documents, one by one or, with scripts, as one ZIP. */
export const exportPage: Page = async (visit) => {
  const { use, caller, texts, query } = visit
  const ids = [...new Set(query.getAll('id'))].slice(0, MAX_DOCUMENTS)
  const rows = []
  let signed = 0
  for (const id of ids) {
    const { title, signaturesTotal } = await use.getDocument.execute(caller, { id })
    if (signaturesTotal > 0) signed += 1
    const link =
      signaturesTotal > 0
        ? evidenceLink(visit, `/api/${id}/evidence`, nothing)
        : html`<span class="chip">${texts.document.unsigned}</span>`
    rows.push(html`<li><a href="/d/${id}"><bdi>${title || texts.document.untitled}</bdi></a>${link}</li>`)
  }
  const all = html`<div data-live><p class="actions"><button type="button" class="strong" disabled id="export-all">${texts.lists.exportAll}</button></p>${outcome('export-outcome')}</div>`
  return {
    title: texts.lists.exportTitle,
    unlisted: true,
    ...(signed > 1 && { scripts: ['export'] }),
    body: html`<div class="narrow"><h1>${texts.lists.exportTitle}</h1><p>${texts.lists.exportText}</p>
${rows.length === 0 ? html`<p class="note">${texts.sendMany.nothingChosen} <a href="/documents">${texts.nav.documents}</a></p>` : html`<ul class="rows card">${rows}</ul>${signed > 1 ? all : nothing}`}</div>`,
  }
}
