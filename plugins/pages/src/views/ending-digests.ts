import type { DocumentDigests } from '@signed-registry/client'
import { day } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import type { Visit } from '../visit.js'

/** Says above a list of documents that originals have to be brought again, and leads to the list of those documents. */
export function endingNotice({ texts: { ending } }: Visit, count: number, href: string | undefined): Html {
  if (count === 0) return nothing
  return html`<section class="card warn"><p><strong>${ending.some(count)}</strong></p><p>${ending.what}</p>${href === undefined ? nothing : html`<p class="actions"><a class="button" href="${href}">${ending.open}</a></p>`}</section>`
}

/** Until when the hashes of a document in a list are trusted. */
export const endingChip = ({ texts: { ending }, language }: Visit, until: number | undefined): Html =>
  until === undefined ? nothing : html` <span class="chip warn">${ending.until(day(language, until))}</span>`

/** Says of a document that its original has to be brought again; it is given where files are checked. */
export const endingCard = (
  { texts: { ending }, language }: Visit,
  { trustedUntil, furtherDigest }: Pick<DocumentDigests, 'trustedUntil' | 'furtherDigest'>,
): Html =>
  trustedUntil === undefined || furtherDigest === undefined
    ? nothing
    : html`<section class="card warn"><p><strong>${ending.one(day(language, trustedUntil))}</strong></p><p>${ending.give}</p><p class="actions"><a class="button" href="#original">${ending.toFile}</a></p></section>`
