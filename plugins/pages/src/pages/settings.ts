import { time } from '../formats.js'
import { html, nothing } from '../html.js'
import { archiveUse } from '../views/archive-use.js'
import { changes } from '../views/changes.js'
import { field, live, outcome, tick } from '../views/controls.js'
import { mailChoices } from '../views/mail-choices.js'
import { mailStates } from '../views/mail-states.js'
import type { Page } from '../visit.js'

const SHOWN = 20

/** `/settings`: notifications, archive and recent logins of a person. */
export const settingsPage: Page = async (visit) => {
  const { use, caller, texts, language } = visit
  const { settings: text } = texts
  const settings = await use.getUserSettings.execute(caller)
  const { events: logins } = await use.getAuthenticationLog.execute(caller)
  return {
    title: text.title,
    scripts: ['forms'],
    body: html`<div class="narrow"><h1>${text.title}</h1>
${live(
  visit,
  html`<form class="form" data-form="user-settings"><fieldset class="card"><legend>${text.mail}</legend>
${field({ name: 'email', label: text.address, value: settings.email, type: 'email' })}
${tick('emailNotificationsEnabled', text.onSignature, settings.emailNotificationsEnabled)}
${tick('emailNotificationsRoutingEnabled', text.onRouting, settings.emailNotificationsRoutingEnabled)}
${mailChoices(visit, settings)}</fieldset>
<fieldset class="card"><legend>${text.archive}</legend>
${tick('dataArchiveEnabled', text.archiveOn, settings.dataArchiveEnabled)}
${field({ name: 'dataArchiveContactEmail', label: text.archiveContact, value: settings.dataArchiveContactEmail, type: 'email' })}
${archiveUse(visit, settings)}</fieldset>
<p class="actions"><button class="strong" disabled>${text.save}</button></p>${outcome('progress')}</form>`,
)}
${await mailStates(visit, settings.userId)}
<section class="card"><h2>${text.logins}</h2><table class="table"><thead><tr><th scope="col">${text.loginsWhen}</th><th scope="col">${text.loginsWhere}</th></tr></thead>
<tbody>${logins.slice(0, SHOWN).map(({ authAt, ip }) => html`<tr><td>${time(language, authAt)}</td><td><code>${ip}</code></td></tr>`)}</tbody></table></section>
${(await changes(visit, (query) => use.getUserSettingsAudit.execute(caller, { query }), texts.history.you)) ?? nothing}</div>`,
  }
}
