import type { OrganizationSettings } from '@signed-registry/client'
import { digits, time } from '../formats.js'
import { type Html, html, nothing, raw } from '../html.js'
import { brandOf } from '../views/brand.js'
import { changes } from '../views/changes.js'
import { outcome } from '../views/controls.js'
import { mailStates } from '../views/mail-states.js'
import { contacts, looks, systems, webhookAddresses } from '../views/organization-forms.js'
import { rightsMatrix } from '../views/rights-matrix.js'
import type { Page, Visit } from '../visit.js'

type Show = (visit: Visit, settings: OrganizationSettings) => Promise<Html> | Html

/** What each tab shows, in their order. */
const TABS: Readonly<Record<'people' | 'systems' | 'webhooks' | 'contacts' | 'looks' | 'changes', Show>> = {
  people: async (visit, settings) =>
    html`<p>${visit.texts.workplace.peopleHint}</p>${form(visit, 'organization-rights', await rightsMatrix(visit, settings))}`,
  systems: (visit, settings) => form(visit, 'organization-systems', systems(visit, settings)),
  webhooks: async (visit, settings) =>
    html`${form(visit, 'organization-webhooks', webhookAddresses(visit, settings))}${await webhookLog(visit)}`,
  contacts: async (visit, settings) =>
    html`${form(visit, 'organization-contacts', contacts(visit, settings))}${await mailStates(visit, settings.businessId)}`,
  looks: async (visit, settings) =>
    html`${(await brandOf(visit, settings.businessId)).band}${form(visit, 'organization-branding', looks(visit, settings))}`,
  changes: async (visit) =>
    (await changes(visit, (query) => visit.use.getOrganizationSettingsAudit.execute(visit.caller, { query }))) ??
    html`<p>${visit.texts.lists.none}</p>`,
}
type Tab = keyof typeof TABS
const NAMES = Object.keys(TABS).filter((name): name is Tab => name in TABS)

/** `/organization?tab=…`: people and rights, systems, webhooks, contacts, looks, and what changed. */
export const organizationPage: Page = async (visit) => {
  const { use, caller, texts, query } = visit
  const { organization: text, workplace } = texts
  const settings = await use.getOrganizationSettings.execute(caller)
  const { businessId } = settings
  const tab = NAMES.find((one) => one === query.get('tab')) ?? 'people'
  const name = (await use.partyNames.of([businessId])).get(businessId)
  const { styles = [] } = await brandOf(visit, businessId)
  return {
    title: `${workplace.tabs[tab]} — ${text.title}`,
    scripts: ['forms'],
    styles,
    body: html`<p class="kicker">${name === undefined ? nothing : `${text.title}, `}${texts.signature.bin} ${digits(businessId)}</p><h1>${name === undefined ? text.title : html`<bdi>${name}</bdi>`}</h1>
<nav class="tabs" aria-label="${text.title}">${NAMES.map((one) => html`<a href="/organization?tab=${one}"${one === tab ? raw(' aria-current="page"') : nothing}>${workplace.tabs[one]}</a>`)}</nav>
<div class="${tab === 'people' ? 'wide' : 'narrow'}"><h2>${workplace.tabs[tab]}</h2>${await TABS[tab](visit, settings)}</div>`,
  }
}

/** A part of the settings with its own save button; without scripts it can be read. */
const form = ({ texts }: Visit, name: string, fields: Html): Html =>
  html`<noscript><p class="note">${texts.needsScript}</p></noscript>
<form class="form card" data-form="${name}">${fields}<p class="actions"><button class="strong" disabled>${texts.settings.save}</button></p>${outcome(`${name}-progress`)}</form>`

async function webhookLog({ use, caller, language, texts }: Visit): Promise<Html> {
  const { organization: text } = texts
  const { webhooks } = await use.getWebhooks.execute(caller)
  if (webhooks.length === 0) return nothing
  return html`<section class="card"><h2>${text.webhookLog}</h2><ul class="rows">${webhooks.map(
    ({ webhookId, url, pausedAt, failingSince }) =>
      html`<li><a href="/organization/webhooks/${webhookId}"><bdi>${url}</bdi></a>${
        pausedAt !== undefined
          ? html`<span class="chip bad">${text.webhookPaused}</span>`
          : failingSince !== undefined
            ? html`<span class="chip warn">${text.webhookFailing} ${time(language, failingSince)}</span>`
            : html`<span class="chip good">${text.webhookWell}</span>`
      }</li>`,
  )}</ul></section>`
}
