import type { OrganizationSettings } from '@signed-registry/client'
import { type Html, html, nothing } from '../html.js'
import type { Visit } from '../visit.js'
import { archiveUse } from './archive-use.js'
import { field, tick } from './controls.js'

/** Contacts of an organization, and its archive. */
export const contacts = (visit: Visit, settings: OrganizationSettings): Html => {
  const { organization: text, settings: words } = visit.texts
  return html`${field({ name: 'routingContactEmail', label: text.routingContact, value: settings.routingContactEmail, type: 'email' })}
${field({ name: 'subscriptionContactEmail', label: text.subscriptionContact, value: settings.subscriptionContactEmail, type: 'email' })}
${tick('dataArchiveEnabled', words.archiveOnOrganization, settings.dataArchiveEnabled)}
${field({ name: 'dataArchiveContactEmail', label: words.archiveContact, value: settings.dataArchiveContactEmail, type: 'email' })}
${archiveUse(visit, settings)}`
}

/** Information systems, by what they are called. */
export function systems(visit: Visit, { tlsCertificatesList }: OrganizationSettings): Html {
  const { organization: text, workplace } = visit.texts
  return html`${tlsCertificatesList.length === 0 ? html`<p>${text.systemsNone}</p>` : nothing}
${tlsCertificatesList.map(
  (
    { description, disabled, byKey, body, pending },
    index,
  ) => html`<fieldset class="inner"><legend><bdi>${description || workplace.systemUnnamed}</bdi>${pending ? html` <span class="chip warn">${workplace.systemPending}</span>` : nothing}</legend>
${field({ name: `description-${index}`, label: text.systemDescription, value: description })}
${tick(`enabled-${index}`, text.systemEnabled, !disabled)}
${tick(`by-key-${index}`, text.systemByKey, byKey)}
<div class="field"><label for="logo-${index}">${text.systemLogo}</label><input type="file" id="logo-${index}" name="logo-${index}" accept="image/png"></div>
<details><summary>${text.systemCertificate}</summary><pre id="certificate-${index}">${body}</pre></details></fieldset>`,
)}
<details><summary>${text.systemAdd}</summary>${field({ name: 'description-new', label: text.systemDescription })}
${field({ name: 'body-new', label: text.systemCertificate, rows: 5 })}</details>`
}

/** Addresses that are told what happens. */
export const webhookAddresses = ({ texts }: Visit, { webhooks }: OrganizationSettings): Html => {
  const { organization: text } = texts
  return html`${field({ name: 'urls', label: text.webhookUrls, hint: text.webhookHint, value: webhooks.urls.join('\n'), rows: 3 })}
${field({ name: 'routingUrls', label: text.webhookRoutingUrls, value: webhooks.routingUrls.join('\n'), rows: 3 })}`
}

/** Logo, colour and name; what is not given is taken away, except for a logo, which has a tick for that. */
export function looks({ texts }: Visit, { branding = {} }: OrganizationSettings): Html {
  const { workplace: text } = texts
  const { logo, color = '#0b5c66', name } = branding
  return html`<p class="hint">${text.looksHint}</p>
<div class="field"><label for="brand-logo">${text.logo}</label><input type="file" id="brand-logo" name="logo" accept="image/png"></div>
${logo === undefined ? nothing : tick('withoutLogo', text.withoutLogo)}
${tick('withColor', text.withColor, branding.color !== undefined)}
<div class="field"><label for="brand-color">${text.color}</label><input type="color" id="brand-color" name="color" value="${color}"></div>
<fieldset class="inner"><legend>${text.shownName}</legend><p class="hint">${text.shownNameHint}</p>
${(['kk', 'ru', 'en'] as const).map((language) => field({ name: `name-${language}`, label: text.inLanguage[language], value: name?.[language] ?? '', maxlength: 255 }))}</fieldset>`
}
