import { RegistryError } from '@signed-registry/core'
import { html, nothing } from '../html.js'
import { findForm } from '../views/find-form.js'
import { loginFirst } from '../views/login-first.js'
import type { Page, Shown, Visit } from '../visit.js'

/** Addresses of pages other than documents', as people copy them from mails. */
const ADDRESS = /^https?:\/\/[^/?#]+(\/(?:p|incoming|outgoing)\/[A-Za-z0-9]{16})(?:[/?#]|$)/

/** `/find?id=`: redirects from an identifier, a link or a file name to the page of what it names. */
export const findPage: Page = async (visit) => {
  const { query, use, caller } = visit
  const text = (query.get('id') ?? '').trim()
  const path = ADDRESS.exec(text)?.[1]
  if (path !== undefined) return { location: path }
  const { id } = use.normalizeId.execute(caller, { specialId: text })
  const location = await pageOf(visit, id)
  return location === undefined ? nothingFound(visit) : { location }
}

/** The page of what has this identifier; of items, only those of the visitor's side. */
async function pageOf({ use, caller }: Visit, id: string): Promise<string | undefined> {
  if ((await unlessAbsent(use.getDocument.admits(caller, { id }))) !== undefined) return `/d/${id}`
  if ((await unlessAbsent(use.getPackage.admits(caller, { packageId: id }))) !== undefined) return `/p/${id}`
  if (await unlessAbsent(use.getIncoming.admits(caller, { incomingId: id }))) return `/incoming/${id}`
  if (await unlessAbsent(use.getOutgoing.admits(caller, { outgoingId: id }))) return `/outgoing/${id}`
  return undefined
}

const unlessAbsent = (asking: Promise<boolean>): Promise<boolean | undefined> =>
  asking.catch((error: unknown) => {
    if (error instanceof RegistryError && error.kind === 'absent') return undefined
    throw error
  })

/** Says the same of any identifier, so that strangers do not learn which ones items have. */
function nothingFound(visit: Visit): Shown {
  const { errors, find: text } = visit.texts
  const isStranger = visit.caller.kind === 'anonymous'
  return {
    title: text.title,
    status: 404,
    // Whoever comes from elsewhere may be logged in: links of others bring no cookie.
    scripts: isStranger ? ['session'] : [],
    body: html`<div class="narrow"><section class="card failure"><h1>${text.title}</h1><p>${errors.absentText}</p>${findForm(visit)}<p><a href="/">${errors.home}</a></p></section>
${isStranger ? loginFirst(visit, text.loginFirst) : nothing}</div>`,
  }
}
