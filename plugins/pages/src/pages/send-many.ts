import { type Html, html } from '../html.js'
import { choice, data, dropZone, live, outcome } from '../views/controls.js'
import { loginFirst } from '../views/login-first.js'
import type { Page, Visit } from '../visit.js'

/** Documents and packages that are sent at once. */
const MAX_OBJECTS = 20

interface SentObject {
  readonly kind: 'document' | 'package'
  readonly id: string
  readonly title: string
}

/** `/send-many?id=…&package=…`: sends documents and packages to everybody in a list. */
export const sendManyPage: Page = async (visit) => {
  const { sendMany: text } = visit.texts
  const objects = await objectsIn(visit)
  return {
    title: text.title,
    scripts: ['send-many'],
    unlisted: true,
    body: html`<h1>${text.title}</h1><p>${text.lead}</p>
${objects.length === 0 ? html`<p class="note">${text.nothingChosen} <a href="/documents">${visit.texts.nav.documents}</a>, <a href="/packages">${visit.texts.nav.packages}</a>, <a href="/new">${visit.texts.nav.new}</a></p>` : visit.caller.kind === 'anonymous' ? loginFirst(visit, visit.texts.new.toLogin) : form(visit, objects)}`,
  }
}

function form(visit: Visit, objects: readonly SentObject[]): Html {
  const { sendMany: text, sending } = visit.texts
  return html`<section class="card"><h2>${text.what}</h2><ul class="rows">${objects.map(({ kind, id, title }) => html`<li><a href="/${kind === 'package' ? 'p' : 'd'}/${id}"><bdi>${title}</bdi></a></li>`)}</ul></section>
${live(
  visit,
  html`<form id="send-many" class="form"><div id="choice"><fieldset class="card"><legend>${text.toWhom}</legend><p>${text.format}</p><pre>${text.example}</pre>
${dropZone({ id: 'list', text: text.drop, choose: text.choose, hint: text.hint })}</fieldset>
<fieldset class="card"><legend>${sending.wanted}</legend>
${choice({ name: 'wanted', value: 'sign', label: sending.sign, hint: sending.signHint, checked: true })}
${choice({ name: 'wanted', value: 'accept', label: sending.accept, hint: sending.acceptHint })}</fieldset></div>
${outcome('progress')}
<p class="actions"><button class="strong" disabled>${text.submit}</button><button type="button" id="stop" hidden>${text.stop}</button><button type="button" id="result" hidden>${text.result}</button><button type="button" id="anew" hidden>${text.anew}</button></p>
<table class="table" hidden><caption class="visually-hidden">${text.toWhom}</caption><thead><tr><th scope="col">${text.line}</th><th scope="col">${text.recipient}</th><th scope="col">${text.words}</th><th scope="col">${text.deadline}</th><th scope="col">${visit.texts.lists.status}</th></tr></thead><tbody id="recipients"></tbody></table></form>`,
)}${data('objects', objects)}`
}

async function objectsIn({ use, caller, query, texts }: Visit): Promise<SentObject[]> {
  const ids = [...new Set(query.getAll('id'))].slice(0, MAX_OBJECTS)
  const packages = [...new Set(query.getAll('package'))].slice(0, MAX_OBJECTS - ids.length)
  const objects: SentObject[] = []
  for (const id of ids) {
    const { title } = await use.getDocument.execute(caller, { id })
    objects.push({ kind: 'document', id, title: title || texts.document.untitled })
  }
  for (const id of packages) {
    const { title } = await use.getPackage.execute(caller, { packageId: id })
    objects.push({ kind: 'package', id, title: title || texts.package.untitled })
  }
  return objects
}
