import { type Html, html, nothing } from '../html.js'
import type { Missing } from '../missing.js'
import type { Visit } from '../visit.js'
import { copyable } from './controls.js'

/** What a visitor lacks, who can give it, and what can be done instead, as the part of a page that the act would have. */
export const missingPart = (visit: Visit, missing: Missing): Html =>
  html`<section class="card warn"><h2>${missingTitle(visit, missing)}</h2>${missingWords(visit, missing)}</section>`

/** In short: what the visitor would need. */
export const missingTitle = ({ texts: { missing: text } }: Visit, missing: Missing): string =>
  'right' in missing ? text.title : text.featureTitle

/** The same in sentences, without a title. */
export function missingWords(visit: Visit, missing: Missing): Html {
  const { caller, texts } = visit
  const { missing: text, organization } = texts
  if ('feature' in missing)
    return html`<p>${text.feature(text.features[missing.feature])}</p><p>${text.operator} <a href="/contact">${text.contact}</a></p>${missing.feature === 'documentsRouting' ? html`<p class="hint">${text.sendInstead}</p>` : nothing}`
  const { right } = missing
  const instead =
    right === 'documentsPackagesRoute'
      ? text.sendInstead
      : right === 'routedDocumentsPackagesView'
        ? text.readInstead
        : undefined
  return html`<p>${text.right(organization.right[right])}</p>
<p>${text.who} ${caller.kind === 'employee' ? copyable(visit, caller.iin) : nothing}</p>
${instead === undefined ? nothing : html`<p class="hint">${instead}</p>`}`
}
