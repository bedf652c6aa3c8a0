import { html, nothing } from '../html.js'
import { missingToSend } from '../missing.js'
import { live, outcome } from '../views/controls.js'
import { loginFirst } from '../views/login-first.js'
import { missingPart } from '../views/missing-right.js'
import { recipient } from '../views/recipient.js'
import type { Page, Visit } from '../visit.js'

/** `/d/:id/send`: sends a document to somebody. */
export const sendDocumentPage: Page = async (visit) => {
  const id = visit.params.id ?? ''
  const { title } = await visit.use.getDocument.execute(visit.caller, { id })
  return sending(visit, title || visit.texts.document.untitled, `/d/${id}`, visit.texts.sign.back)
}

/** `/p/:packageId/send`: sends a package to somebody. */
export const sendPackagePage: Page = async (visit) => {
  const packageId = visit.params.packageId ?? ''
  const { title } = await visit.use.getPackage.execute(visit.caller, { packageId })
  return sending(visit, title || visit.texts.package.untitled, `/p/${packageId}`, visit.texts.sign.backPackage)
}

async function sending(visit: Visit, name: string, back: string, label: string) {
  const { texts, caller } = visit
  const { send: text } = texts
  const missing = await missingToSend(visit)
  const form = () =>
    live(
      visit,
      html`<form class="form card" data-form="send" data-of="${back}">${recipient(visit)}<p class="actions"><button class="strong" disabled>${text.submit}</button></p>${outcome('progress')}</form>`,
    )
  const act = missing === undefined ? form() : missingPart(visit, missing)
  return {
    title: `${text.title}: ${name}`,
    scripts: ['forms'],
    body: html`<div class="narrow"><p class="kicker">${text.title}</p><h1><bdi>${name}</bdi></h1><p>${text.lead}</p><p><a href="${back}">${label}</a>${missing === undefined ? html` · <a href="${toMany(back)}">${texts.sendMany.title}</a>` : nothing}</p>
${caller.kind === 'anonymous' ? loginFirst(visit, texts.new.toLogin) : act}</div>`,
  }
}

/** The page that sends it to everybody in a list. */
function toMany(back: string): string {
  const [, kind, id = ''] = back.split('/')
  return `/send-many?${kind === 'p' ? 'package' : 'id'}=${id}`
}
