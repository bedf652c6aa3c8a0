import { html, nothing } from '../html.js'
import { evidenceLink } from '../views/evidence.js'
import type { Page } from '../visit.js'

/** Documents on a page of exports. */
const MAX_DOCUMENTS = 50

/** `/export?id=…`: the evidence of several documents, one by one. */
export const exportPage: Page = async (visit) => {
  const { use, caller, texts, query } = visit
  const ids = [...new Set(query.getAll('id'))].slice(0, MAX_DOCUMENTS)
  const rows = []
  for (const id of ids) {
    const { title, signaturesTotal } = await use.getDocument.execute(caller, { id })
    const link =
      signaturesTotal > 0
        ? evidenceLink(visit, `/api/${id}/evidence`, nothing)
        : html`<span class="chip">${texts.document.unsigned}</span>`
    rows.push(html`<li><a href="/d/${id}"><bdi>${title || texts.document.untitled}</bdi></a>${link}</li>`)
  }
  return {
    title: texts.lists.exportTitle,
    unlisted: true,
    body: html`<div class="narrow"><h1>${texts.lists.exportTitle}</h1><p>${texts.lists.exportText}</p>
${rows.length === 0 ? html`<p class="note">${texts.sendMany.nothingChosen} <a href="/documents">${texts.nav.documents}</a></p>` : html`<ul class="rows card">${rows}</ul>`}</div>`,
  }
}
