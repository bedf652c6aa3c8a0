import { type Html, html, nothing } from '../html.js'
import type { Signing } from '../to-sign.js'
import type { Visit } from '../visit.js'
import { outcome } from './controls.js'
import { evidenceLink } from './evidence.js'

/** What is shown after the signature, hidden until then: that it is signed, and what can be done next. */
export function signed(
  visit: Visit,
  { address, back, documents, packageId }: Signing,
  incomingId: string | undefined,
): Html {
  const { signing: text, document } = visit.texts
  const [first] = documents
  const id = first?.documentId ?? ''
  const object = packageId === undefined ? `/api/${id}` : `/api/package/${packageId}`
  const isGiven = packageId === undefined && first?.isGiven === true
  // Several documents that are no package have nothing in common that could be sent.
  const isOne = packageId !== undefined || documents.length === 1
  const more =
    () => html`${evidenceLink(visit, `${object}/evidence`, nothing)}${isGiven ? html`<button type="button" data-card="${id}">${document.downloadCard}</button>` : nothing}
<a class="button" href="${address}/send">${text.sendOn}</a>`
  return html`<section class="card said good" id="done" hidden><h2 tabindex="-1">${text.done}</h2><p>${text.doneText}</p>
<p class="note" id="accepted" hidden>${text.accepted}</p><div id="not-accepted" hidden><p><strong>${text.notAccepted}</strong></p>${outcome('why-not')}</div>
<p class="actions">${incomingId === undefined ? html`<a class="button strong" href="${address}">${back}</a>` : html`<a class="button strong" href="/incoming/${incomingId}">${text.toItem}</a><a class="button" href="${address}">${back}</a>`}
${isOne ? more() : nothing}</p>${outcome('actions-outcome')}</section>`
}
