import { html, nothing } from '../html.js'
import { missingFeature, missingToSend } from '../missing.js'
import { data, dropZone, field, live, outcome, tick } from '../views/controls.js'
import { keeping } from '../views/keeping.js'
import { missingPart, missingWords } from '../views/missing-right.js'
import { recipient } from '../views/recipient.js'
import { alreadyReplaced, replaced, replacing } from '../views/replacing.js'
import { newSigners } from '../views/signers.js'
import { signingWays } from '../views/signing.js'
import { templates } from '../views/templates.js'
import type { Page } from '../visit.js'

/** Most files of a package, for authenticated and for anonymous visitors: limits of core. */
const MAX_FILES = 50
const MAX_FILES_OF_NOBODY = 10

/** `/new`: signs and registers files. */
export const newPage: Page = async (visit) => {
  const { new: text } = visit.texts
  const isKnown = visit.caller.kind === 'person' || visit.caller.kind === 'employee'
  const noRegistration = await missingFeature(visit, 'documentsRegistration')
  if (noRegistration !== undefined)
    return { title: text.title, body: html`<h1>${text.title}</h1>${missingPart(visit, noRegistration)}` }
  const version = await replaced(visit)
  if (version?.replacedBy !== undefined)
    return { title: text.title, body: html`<h1>${text.title}</h1>${alreadyReplaced(visit, version.replacedBy)}` }
  const notSent = await missingToSend(visit)
  const noPackages = (await missingFeature(visit, 'documentsPackages')) !== undefined
  const isAlone = noPackages || version !== undefined
  const hint =
    version !== undefined ? visit.texts.versions.oneFile : noPackages ? visit.texts.missing.oneFile : text.lead
  return {
    title: text.title,
    scripts: isKnown ? ['new', 'templates'] : ['new'],
    needs: 'signing',
    ...(version === undefined && { isPublic: true }),
    body: html`<h1>${version === undefined ? text.title : visit.texts.versions.title}</h1>${version === undefined ? nothing : replacing(visit, version)}
${live(
  visit,
  html`<section class="card warn" id="unfinished" hidden><h2>${text.unfinished}</h2><p>${text.unfinishedText}</p><ul class="rows" id="unfinished-list"></ul></section>
${isKnown ? templates(visit) : nothing}<form id="new" class="form" novalidate>
<fieldset class="card"><legend>${text.files}</legend>${dropZone({ id: 'files', text: text.drop, choose: text.choose, multiple: !isAlone, hint })}
<ul class="rows" id="chosen" aria-live="polite"></ul>
${field({ name: 'title', label: text.name, maxlength: 255, value: version?.title ?? '' })}
${field({ name: 'description', label: text.description, hint: text.descriptionHint, rows: 2, maxlength: 2000 })}</fieldset>
<fieldset class="card"><legend>${text.how}</legend>${signingWays(visit, 'document')}</fieldset>
<details class="card"><summary>${text.to}</summary>${notSent !== undefined ? missingWords(visit, notSent) : isKnown ? html`${recipient(visit)}<p><a href="/send-many">${visit.texts.sendMany.title}</a></p>` : html`<p class="note">${text.toLogin} <a href="/login?next=${encodeURIComponent(visit.url)}">${visit.texts.nav.login}</a></p>`}
${field({ name: 'emails', label: text.emails, hint: text.emailsHint })}</details>
${isKnown ? html`<details class="card"><summary>${visit.texts.signers.title}</summary>${newSigners(visit)}</details>` : nothing}
<details class="card"><summary>${text.more}</summary>
${keeping(visit)}
<div id="whole-choice" hidden>${tick('whole', text.whole)}</div></details>
<p class="actions"><button class="strong" id="submit" disabled>${text.submit}</button></p>
${outcome('progress')}</form>`,
)}${data('limits', { files: isAlone ? 1 : isKnown ? MAX_FILES : MAX_FILES_OF_NOBODY, replaces: version?.id })}`,
  }
}
