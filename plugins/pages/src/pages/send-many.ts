import { type Html, html, nothing } from '../html.js'
import { missingFeature, missingToSend } from '../missing.js'
import { choice, data, dropZone, live, outcome } from '../views/controls.js'
import { keeping } from '../views/keeping.js'
import { loginFirst } from '../views/login-first.js'
import { missingPart } from '../views/missing-right.js'
import { signingWays } from '../views/signing.js'
import type { Page, Shown, Visit } from '../visit.js'

/** Documents and packages that are sent at once. */
const MAX_OBJECTS = 20
/** Files that are signed and sent at once. */
const MAX_FILES = 50

interface SentObject {
  readonly kind: 'document' | 'package'
  readonly id: string
  readonly title: string
}

/** `/send-many?id=…&package=…`: sends documents and packages, or without any files, to everybody in a list. */
export const sendManyPage: Page = async (visit) => {
  const { sendMany: text } = visit.texts
  const objects = await objectsIn(visit)
  const hasFiles = objects.length === 0
  const head = html`<h1>${text.title}</h1><p>${hasFiles ? text.filesLead : text.lead}</p>`
  const page = (body: Html): Shown => ({ title: text.title, unlisted: true, body: html`${head}${body}` })
  if (visit.caller.kind === 'anonymous') return page(loginFirst(visit, visit.texts.new.toLogin))
  const missing = (await missingToSend(visit)) ?? (hasFiles ? await missingToRegister(visit) : undefined)
  if (missing !== undefined) return page(missingPart(visit, missing))
  return {
    ...page(html`${hasFiles ? otherLists(visit) : listed(visit, objects)}${form(visit, objects)}`),
    scripts: ['send-many'],
    ...(hasFiles && { needs: 'signing' }),
  }
}

const missingToRegister = (visit: Visit) => missingFeature(visit, 'documentsRegistration')

const otherLists = ({ texts: { sendMany: text, nav } }: Visit): Html =>
  html`<p class="hint">${text.orRegistered} <a href="/documents">${nav.documents}</a>, <a href="/packages">${nav.packages}</a></p>`

const listed = ({ texts }: Visit, objects: readonly SentObject[]): Html =>
  html`<section class="card"><h2>${texts.sendMany.what}</h2><ul class="rows">${objects.map(({ kind, id, title }) => html`<li><a href="/${kind === 'package' ? 'p' : 'd'}/${id}"><bdi>${title}</bdi></a></li>`)}</ul></section>`

function form(visit: Visit, objects: readonly SentObject[]): Html {
  const { sendMany: text, sending, new: registration } = visit.texts
  const { caller } = visit
  const hasFiles = objects.length === 0
  const head = (label: string) => html`<th scope="col">${label}</th>`
  return html`${live(
    visit,
    html`<form id="send-many" class="form" novalidate>${
      hasFiles
        ? html`<fieldset class="card" id="files-choice"><legend>${text.files}</legend>${dropZone({ id: 'files', text: registration.drop, choose: registration.choose, multiple: true, hint: text.filesHint })}
<ul class="rows" id="chosen" aria-live="polite"></ul></fieldset>`
        : nothing
    }
<div id="choice"><fieldset class="card"><legend>${text.toWhom}</legend><p>${hasFiles ? text.filesFormat : text.format}</p><pre>${hasFiles ? text.filesExample : text.example}</pre>
${dropZone({ id: 'list', text: text.drop, choose: text.choose, hint: text.hint })}</fieldset>
<fieldset class="card"><legend>${sending.wanted}</legend>
${choice({ name: 'wanted', value: 'sign', label: sending.sign, hint: sending.signHint, checked: true })}
${choice({ name: 'wanted', value: 'accept', label: sending.accept, hint: sending.acceptHint })}</fieldset>
${hasFiles ? html`<details class="card"><summary>${registration.more}</summary>${keeping(visit)}</details>` : nothing}</div>
${hasFiles ? html`<fieldset class="card" id="ways"><legend>${registration.how}</legend>${signingWays(visit, 'document')}</fieldset>` : nothing}
${outcome('progress')}
<p class="actions"><button class="strong" disabled>${hasFiles ? text.signAndSend : text.submit}</button><button type="button" id="stop" hidden>${text.stop}</button><button type="button" id="result" hidden>${text.result}</button><button type="button" id="anew" hidden>${text.anew}</button></p>
<table class="table" hidden><caption class="visually-hidden">${text.toWhom}</caption><thead><tr>${head(text.line)}${head(text.recipient)}${hasFiles ? head(text.file) : nothing}${head(text.words)}${head(text.deadline)}${head(visit.texts.lists.status)}</tr></thead><tbody id="recipients"></tbody></table></form>`,
  )}${data('objects', objects)}${data('limits', {
    files: MAX_FILES,
    ...('iin' in caller && { iin: caller.iin }),
    ...('bin' in caller && { bin: caller.bin }),
  })}`
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
