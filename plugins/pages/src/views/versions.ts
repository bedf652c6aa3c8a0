import type { DocumentResource } from '@signed-registry/client'
import { type Html, html, nothing } from '../html.js'
import type { Visit } from '../visit.js'
import { fact } from './controls.js'

/** A newer version of a document, for visitors who may see that. */
export const newerVersion = (
  { texts: { thread: text } }: Visit,
  { replacedBy }: Pick<DocumentResource, 'replacedBy'>,
): Html =>
  replacedBy === undefined
    ? nothing
    : html`<section class="card warn"><p><strong>${text.replacedBy}</strong></p><p class="actions"><a class="button" href="/d/${replacedBy}">${text.openNewer}</a></p></section>`

/** The earlier version, for visitors who may see that. */
export const earlierVersion = (
  { texts: { thread: text } }: Visit,
  { replaces }: Pick<DocumentResource, 'replaces'>,
): Html =>
  replaces === undefined ? nothing : fact(text.replaces, html`<a href="/d/${replaces}">${text.openOlder}</a>`)

/** Whether the visitor may replace a document: who signed it first, or a colleague; `undefined` of who is not logged in. */
export function mayReplace({ caller }: Visit, { signatures: [first] }: DocumentResource): boolean | undefined {
  if (caller.kind === 'employee') return first?.businessId === caller.bin
  return caller.kind === 'person' ? first?.userId === caller.iin && first.businessId === undefined : undefined
}

/** Where to register a version that replaces this one, for visitors who may. */
export const newVersionLink = (visit: Visit, id: string, document: DocumentResource): Html =>
  document.replacedBy !== undefined || mayReplace(visit, document) !== true
    ? nothing
    : html`<a class="button" href="/new?replaces=${id}">${visit.texts.deal.newVersion}</a>`
