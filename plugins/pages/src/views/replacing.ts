import { type Html, html, nothing } from '../html.js'
import type { Visit } from '../visit.js'
import { mayReplace } from './versions.js'

/** The document that a new version replaces. */
export interface Replaced {
  readonly id: string
  readonly title: string
  /** The version that has replaced it already. */
  readonly replacedBy?: string
  /** Whether the visitor, or their organization, signed it first; only who did can replace it. */
  readonly isOwn: boolean | undefined
}

/** The document that `?replaces=` names. */
export async function replaced(visit: Visit): Promise<Replaced | undefined> {
  const { use, caller, query } = visit
  const id = query.get('replaces')
  if (id === null) return undefined
  const document = await use.getDocument.execute(caller, { id })
  const { title, replacedBy } = document
  return { id, title, isOwn: mayReplace(visit, document), ...(replacedBy !== undefined && { replacedBy }) }
}

/** Says which document is replaced, and who can do that. */
export const replacing = ({ texts }: Visit, { id, title, isOwn }: Replaced): Html =>
  html`<section class="card${isOwn === false ? ' warn' : ''}"><p>${texts.versions.replaces} <a href="/d/${id}"><bdi>${title || texts.document.untitled}</bdi></a></p><p class="hint">${texts.versions.who}</p>${isOwn === false ? html`<p>${texts.versions.notYours}</p>` : nothing}</section>`

/** Says that a document has a newer version, which can be replaced instead. */
export const alreadyReplaced = ({ texts }: Visit, newer: string): Html =>
  html`<section class="card warn"><p>${texts.versions.already}</p><p class="actions"><a class="button" href="/d/${newer}">${texts.thread.openNewer}</a><a class="button strong" href="/new?replaces=${newer}">${texts.versions.replaceNewer}</a></p></section>`
