import { html } from '../html.js'
import { field, live, outcome } from '../views/controls.js'
import { loginFirst } from '../views/login-first.js'
import type { Page, Visit } from '../visit.js'

/** `/d/:id/notify`: sends mail about a document. */
export const notifyDocumentPage: Page = async (visit) => {
  const id = visit.params.id ?? ''
  const { use, caller, texts } = visit
  const { title } = await use.getDocument.execute(caller, { id })
  const mayNotify = await use.notifyDocument.admits(caller, { id })
  return notifying(visit, { name: title || texts.document.untitled, back: [`/d/${id}`, texts.sign.back], mayNotify })
}

/** `/p/:packageId/notify`: sends mail about a package. */
export const notifyPackagePage: Page = async (visit) => {
  const packageId = visit.params.packageId ?? ''
  const { use, caller, texts } = visit
  const { title } = await use.getPackage.execute(caller, { packageId })
  const mayNotify = await use.notifyPackage.admits(caller, { packageId })
  const back = [`/p/${packageId}`, texts.sign.backPackage] as const
  return notifying(visit, { name: title || texts.package.untitled, back, mayNotify })
}

interface Notifying {
  readonly name: string
  readonly back: readonly [string, string]
  readonly mayNotify: boolean
}

const notifying = (visit: Visit, { name, back: [href, label], mayNotify }: Notifying) => {
  const { notify: text, new: words, errors } = visit.texts
  const form = () =>
    live(
      visit,
      html`<form class="form card" data-form="notify" data-of="${href}">${field({ name: 'emails', label: text.to, hint: words.emailsHint })}<p class="actions"><button class="strong" disabled>${text.submit}</button></p>${outcome('progress')}</form>`,
    )
  const refusal = () =>
    visit.caller.kind === 'anonymous'
      ? loginFirst(visit, text.toLogin)
      : html`<section class="card"><p>${errors.deniedTitle}</p></section>`
  return {
    title: `${text.title}: ${name}`,
    scripts: ['forms'],
    body: html`<div class="narrow"><p class="kicker">${text.title}</p><h1><bdi>${name}</bdi></h1><p>${text.lead}</p><p><a href="${href}">${label}</a></p>
${mayNotify ? form() : refusal()}</div>`,
  }
}
