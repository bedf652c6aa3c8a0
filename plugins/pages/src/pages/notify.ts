import { html } from '../html.js'
import { field, live, outcome } from '../views/controls.js'
import { loginFirst } from '../views/login-first.js'
import type { Page, Visit } from '../visit.js'

/** `/d/:id/notify`: writes to people about a document. */
export const notifyDocumentPage: Page = async (visit) => {
  const id = visit.params.id ?? ''
  const { title } = await visit.use.getDocument.execute(visit.caller, { id })
  return notifying(visit, title || visit.texts.document.untitled, `/d/${id}`, visit.texts.sign.back)
}

/** `/p/:packageId/notify`: writes to people about a package. */
export const notifyPackagePage: Page = async (visit) => {
  const packageId = visit.params.packageId ?? ''
  const { title } = await visit.use.getPackage.execute(visit.caller, { packageId })
  return notifying(visit, title || visit.texts.package.untitled, `/p/${packageId}`, visit.texts.sign.backPackage)
}

const notifying = (visit: Visit, name: string, back: string, label: string) => {
  const { notify: text, new: words } = visit.texts
  return {
    title: `${text.title}: ${name}`,
    scripts: ['forms'],
    body: html`<div class="narrow"><p class="kicker">${text.title}</p><h1><bdi>${name}</bdi></h1><p>${text.lead}</p><p><a href="${back}">${label}</a></p>
${visit.caller.kind === 'anonymous' ? loginFirst(visit, text.toLogin) : live(visit, html`<form class="form card" data-form="notify" data-of="${back}">${field({ name: 'emails', label: text.to, hint: words.emailsHint })}<p class="actions"><button class="strong" disabled>${text.submit}</button></p>${outcome('progress')}</form>`)}</div>`,
  }
}
