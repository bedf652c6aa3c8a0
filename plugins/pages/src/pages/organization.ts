import type { AccessControl, OrganizationSettings } from '@signed-registry/client'
import type { OrganizationRight } from '@signed-registry/core'
import { digits, time } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import { archiveUse } from '../views/archive-use.js'
import { changes } from '../views/changes.js'
import { data, field, live, outcome, tick } from '../views/controls.js'
import { mailStates } from '../views/mail-states.js'
import type { Page, Visit } from '../visit.js'

/** Rights that the page changes, in the order of the specification. */
const RIGHTS = [
  'documentsAccess',
  'documentsList',
  'documentsSettings',
  'packagesAccess',
  'packagesList',
  'packagesSettings',
  'organizationSettings',
  'documentsPackagesRoute',
  'routedDocumentsPackagesView',
] as const

/** Who has each right, including those on packages, which the API accepts but does not answer. */
type Controls = Readonly<Record<(typeof RIGHTS)[number], AccessControl>>

const NOBODY: AccessControl = { authorities: [], iins: [], tlsCertificatesIndices: [] }

/** `/organization`: systems, rights, webhooks, contacts and archive of an organization. */
export const organizationPage: Page = async (visit) => {
  const { use, caller, texts } = visit
  const { organization: text } = texts
  const settings = await use.getOrganizationSettings.execute(caller)
  const controls = await rightsOf(visit, settings)
  const { webhooks } = await use.getWebhooks.execute(caller)
  return {
    title: text.title,
    scripts: ['forms'],
    body: html`<div class="narrow"><p class="kicker">${texts.signature.bin} ${digits(settings.businessId)}</p><h1>${text.title}</h1>
${live(
  visit,
  html`${form(visit, 'organization-contacts', text.contacts, contacts(visit, settings))}
${form(visit, 'organization-systems', text.systems, systems(visit, settings))}
${form(visit, 'organization-rights', text.rights, rights(visit, controls))}
${form(
  visit,
  'organization-webhooks',
  text.webhooks,
  html`${field({ name: 'urls', label: text.webhookUrls, hint: text.webhookHint, value: settings.webhooks.urls.join('\n'), rows: 3 })}
${field({ name: 'routingUrls', label: text.webhookRoutingUrls, value: settings.webhooks.routingUrls.join('\n'), rows: 3 })}`,
)}`,
)}
${
  webhooks.length === 0
    ? nothing
    : html`<section class="card"><h2>${text.webhookLog}</h2><ul class="rows">${webhooks.map(
        ({ webhookId, url, pausedAt, failingSince }) =>
          html`<li><a href="/organization/webhooks/${webhookId}"><bdi>${url}</bdi></a>${
            pausedAt !== undefined
              ? html`<span class="chip bad">${text.webhookPaused}</span>`
              : failingSince !== undefined
                ? html`<span class="chip warn">${text.webhookFailing} ${time(visit.language, failingSince)}</span>`
                : html`<span class="chip good">${text.webhookWell}</span>`
          }</li>`,
      )}</ul></section>`
}${await mailStates(visit, settings.businessId)}
${(await changes(visit, (query) => use.getOrganizationSettingsAudit.execute(caller, { query }))) ?? nothing}${data('now', authoritiesOf(controls))}</div>`,
  }
}

/** Parts of rights that the form preserves but does not show; systems, with logos of up to 2 MiB, are fetched when saving. */
const authoritiesOf = (controls: Controls): Readonly<Record<string, Pick<AccessControl, 'authorities'>>> =>
  Object.fromEntries(RIGHTS.map((right) => [right, { authorities: controls[right].authorities }]))

/** A section of the settings with its own save button. */
const form = ({ texts }: Visit, name: string, title: string, fields: Html): Html =>
  html`<form class="form card" data-form="${name}"><h2>${title}</h2>${fields}<p class="actions"><button class="strong" disabled>${texts.settings.save}</button></p>${outcome(`${name}-progress`)}</form>`

const contacts = (visit: Visit, settings: OrganizationSettings): Html => {
  const { organization: text, settings: words } = visit.texts
  return html`${field({ name: 'routingContactEmail', label: text.routingContact, value: settings.routingContactEmail, type: 'email' })}
${field({ name: 'subscriptionContactEmail', label: text.subscriptionContact, value: settings.subscriptionContactEmail, type: 'email' })}
${tick('dataArchiveEnabled', words.archiveOnOrganization, settings.dataArchiveEnabled)}
${field({ name: 'dataArchiveContactEmail', label: words.archiveContact, value: settings.dataArchiveContactEmail, type: 'email' })}
${archiveUse(visit, settings)}`
}

function systems(visit: Visit, { tlsCertificatesList }: OrganizationSettings): Html {
  const { organization: text } = visit.texts
  return html`${tlsCertificatesList.length === 0 ? html`<p>${text.systemsNone}</p>` : nothing}
${tlsCertificatesList.map(
  (
    { description, disabled, byKey, body },
    index,
  ) => html`<fieldset class="inner"><legend>${index}. <bdi>${description || text.systemDescription}</bdi></legend>
${field({ name: `description-${index}`, label: text.systemDescription, value: description })}
${tick(`enabled-${index}`, text.systemEnabled, !disabled)}
${tick(`by-key-${index}`, text.systemByKey, byKey)}
<div class="field"><label for="logo-${index}">${text.systemLogo}</label><input type="file" id="logo-${index}" name="logo-${index}" accept="image/png"></div>
<details><summary>${text.systemCertificate}</summary><pre id="certificate-${index}">${body}</pre></details></fieldset>`,
)}
<details><summary>${text.systemAdd}</summary>${field({ name: 'description-new', label: text.systemDescription })}
${field({ name: 'body-new', label: text.systemCertificate, rows: 5 })}</details>`
}

async function rightsOf({ use }: Visit, settings: OrganizationSettings): Promise<Controls> {
  const stored = async (right: OrganizationRight) =>
    (await use.organizationControls.find(settings.businessId, right)) ?? NOBODY
  return {
    ...settings,
    packagesAccess: await stored('packagesAccess'),
    packagesList: await stored('packagesList'),
    packagesSettings: await stored('packagesSettings'),
  }
}

function rights(visit: Visit, controls: Controls): Html {
  const { organization: text } = visit.texts
  return html`<p class="hint">${text.rightsHint}</p>${RIGHTS.map((right) => {
    const { iins, tlsCertificatesIndices } = controls[right]
    return html`<fieldset class="inner"><legend>${text.right[right]}</legend><div class="row">
${field({ name: `${right}-iins`, label: text.rightIins, value: iins.map(digits).join(' ') })}
${field({ name: `${right}-systems`, label: text.rightSystems, value: tlsCertificatesIndices.join(' ') })}</div></fieldset>`
  })}`
}
