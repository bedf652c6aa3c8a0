import type { ClientCertificateRequest, DocumentSettings, PackageSettings, UserSettings } from '@signed-registry/client'
import { client, Told } from './api.js'
import { saveBranding } from './branding.js'
import { toBase64 } from './bytes.js'
import { dataOf } from './dom.js'
import type { Done } from './done.js'
import { momentIn, textIn } from './recipient.js'
import { saveRights } from './rights.js'
import { doneOf, signersIn } from './signers.js'
import { texts } from './texts.js'

/** Lines of a text area: HTML normalizes line breaks to CRLF. */
const withoutSpaces = (text: string): string => text.replace(/\s+/g, '')

/** Kinds of mail about items, each with a box to tick for what is wanted. */
const MAIL_KINDS: UserSettings['notificationsOff'] = ['received', 'comments', 'decisions', 'reminders', 'turns']

/** Answers what was done where the page has to be read again. */
type Save = (form: FormData, of: string) => Promise<Done | undefined>

const RULE = /^(?:IIN\d{12}|BIN\d{12}|IIN\d{12}\s+BIN\d{12})$/

/** Normalizes numbers as people type them, in any language and spacing, to `IIN…` and `BIN…`. */
const numbersIn = (line: string): string =>
  line
    .toUpperCase()
    .replace(/ИИН|ЖСН/g, 'IIN')
    .replace(/БИН|БСН/g, 'BIN')
    .replace(/([IB]IN)[\s:]+(?=\d)/g, '$1')
    .replace(/[\s,;]+/g, ' ')

/** Rules of access, one a line: `IIN…`, `BIN…`, or both. */
function rulesIn(form: FormData, name: string): { iin?: string; bin?: string }[] {
  return linesIn(form, name).map((written) => {
    const line = numbersIn(written)
    if (!RULE.test(line)) throw new Told(texts.badRule(written), name)
    const iin = /IIN\d{12}/.exec(line)?.[0]
    const bin = /BIN\d{12}/.exec(line)?.[0]
    return { ...(iin !== undefined && { iin }), ...(bin !== undefined && { bin }) }
  })
}

const linesIn = (form: FormData, name: string): string[] =>
  textIn(form, name)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** Settings with the moment when signatures end, if ever; one that nobody changed keeps its seconds. */
function withUntil({ signUntil, ...rest }: DocumentSettings, form: FormData): DocumentSettings {
  if (textIn(form, 'signUntil') === '') return rest
  const written = momentIn(form, 'signUntil')
  const isSame = signUntil !== undefined && Math.floor(signUntil / 60_000) * 60_000 === written
  return { ...rest, signUntil: isSame ? signUntil : written }
}

const idOf = (of: string): string => of.split('/')[2] ?? ''

/** Handlers of the settings forms; settings that a form does not show are kept. */
export const SETTINGS_FORMS: Readonly<Record<string, Save>> = {
  async 'document-settings'(form, of) {
    const now = dataOf<DocumentSettings>('now')
    const unique = [
      ...(now.unique ?? []).filter((one) => one !== 'iin'),
      ...(form.has('unique') ? ['iin' as const] : []),
    ]
    await client.changeDocumentSettings({
      id: idOf(of),
      request: {
        ...withUntil(now, form),
        private: form.has('private'),
        publicProof: form.has('publicProof'),
        signaturesLimit: Number(textIn(form, 'signaturesLimit')) || 0,
        switchToPrivateAfterLimitReached: form.has('switchToPrivateAfterLimitReached'),
        unique,
        documentAccess: rulesIn(form, 'access'),
        ...signersIn(),
      },
    })
    return undefined
  },
  async 'package-signers'(form) {
    for (const id of dataOf<readonly string[]>('documents')) {
      const found = await client.getDocument({ id })
      const request = { ...withUntil(found.settings, form), ...signersIn(doneOf(found)) }
      await client.changeDocumentSettings({ id, request })
    }
    return undefined
  },
  async 'package-settings'(form, of) {
    await client.changePackageSettings({
      packageId: idOf(of),
      request: {
        ...dataOf<PackageSettings>('now'),
        private: form.has('private'),
        signWholePackage: form.has('signWholePackage'),
        packageAccess: rulesIn(form, 'access'),
        packageSettings: rulesIn(form, 'rights'),
      },
    })
    return undefined
  },
  async 'user-settings'(form) {
    await client.saveUserSettings({
      request: {
        email: textIn(form, 'email'),
        emailNotificationsEnabled: form.has('emailNotificationsEnabled'),
        emailNotificationsRoutingEnabled: form.has('emailNotificationsRoutingEnabled'),
        notificationsLanguage: textIn(form, 'notificationsLanguage'),
        notificationsOff: MAIL_KINDS.filter((kind) => !form.has(`mail-${kind}`)),
        dataArchiveEnabled: form.has('dataArchiveEnabled'),
        dataArchiveContactEmail: textIn(form, 'dataArchiveContactEmail'),
      },
    })
    return undefined
  },
  async 'mail-again'(_form, address) {
    await client.acceptMail({ request: { address } })
    return 'saved'
  },
  async 'organization-contacts'(form) {
    await client.saveOrganizationSettings({
      request: {
        routingContactEmail: textIn(form, 'routingContactEmail'),
        subscriptionContactEmail: textIn(form, 'subscriptionContactEmail'),
        dataArchiveEnabled: form.has('dataArchiveEnabled'),
        dataArchiveContactEmail: textIn(form, 'dataArchiveContactEmail'),
      },
    })
    return undefined
  },
  async 'organization-systems'(form) {
    const list: ClientCertificateRequest[] = []
    const shown = [...document.querySelectorAll('[id^=certificate-]')].map(({ textContent }) =>
      withoutSpaces(textContent),
    )
    // Reads the list again: somebody may have changed what the page does not show.
    for (const system of (await client.getOrganizationSettings()).tlsCertificatesList) {
      const index = shown.indexOf(withoutSpaces(system.body))
      if (index < 0) {
        list.push(system)
        continue
      }
      const logo = form.get(`logo-${index}`)
      const ddcLogo =
        logo instanceof File && logo.size > 0 ? { ddcLogo: toBase64(new Uint8Array(await logo.arrayBuffer())) } : {}
      const acts = { disabled: !form.has(`enabled-${index}`), byKey: form.has(`by-key-${index}`) }
      list.push({
        ...system,
        ...acts,
        description: textIn(form, `description-${index}`),
        settings: { ...system.settings, ...ddcLogo },
      })
    }
    const body = textIn(form, 'body-new')
    if (body !== '') list.push({ description: textIn(form, 'description-new'), body, disabled: false, settings: {} })
    await client.saveOrganizationSettings({ request: { tlsCertificatesList: list } })
    return 'saved'
  },
  async 'template-delete'(_form, templateId) {
    await client.deleteTemplate({ templateId })
    return 'removed'
  },
  async 'organization-rights'(form) {
    await saveRights(form)
    return 'saved'
  },
  async 'organization-branding'(form) {
    await saveBranding(form)
    return 'saved'
  },
  async 'organization-webhooks'(form) {
    const webhooks = { urls: linesIn(form, 'urls'), routingUrls: linesIn(form, 'routingUrls') }
    await client.saveOrganizationSettings({ request: { webhooks } })
    return 'saved'
  },
  async webhook(form, webhookId) {
    const deliveryId = textIn(form, 'deliveryId')
    const action = form.get('do')
    if (action === 'ping') await client.pingWebhook({ webhookId })
    else if (action === 'rotate') await client.rotateWebhookSecret({ webhookId })
    else if (action === 'since') await client.resendWebhooks({ webhookId, request: { since: momentIn(form, 'since') } })
    else await client.resendWebhooks({ webhookId, request: { deliveryId } })
    return action === 'rotate' ? 'saved' : 'sent'
  },
}
