import type { DocumentResource, DocumentSettings } from '@signed-registry/client'
import { fieldTime } from '../formats.js'
import { type Html, html, nothing } from '../html.js'
import { data, field, live, outcome, tick } from '../views/controls.js'
import { loginFirst } from '../views/login-first.js'
import { signersEditor, signersOf, signersWords } from '../views/signers.js'
import type { Page, Visit } from '../visit.js'

/** Access rules as text, one per line, as the form parses them. */
const rulesText = (rules: readonly { readonly iin?: string; readonly bin?: string }[] = []): string =>
  rules.map(({ iin, bin }) => [iin, bin].filter(Boolean).join(' ')).join('\n')

/** `/d/:id/settings`: who may see a document, and who may sign it. */
export const documentSettingsPage: Page = async (visit) => {
  const id = visit.params.id ?? ''
  const { use, caller } = visit
  const document = await use.getDocument.execute(caller, { id })
  const { title, settings } = document
  const { settings: text, new: words } = visit.texts
  return settingsPage(visit, {
    name: title || visit.texts.document.untitled,
    kind: text.documentTitle,
    back: [`/d/${id}`, visit.texts.sign.back],
    form: 'document-settings',
    mayChange: await use.changeDocumentSettings.admits(caller, { id }),
    now: settings,
    words: signersWords(visit, settings),
    fields: html`${signersAndUntil(visit, document)}
${tick('private', words.private, settings.private)}${tick('publicProof', visit.texts.proof.setting, settings.publicProof)}
${field({ name: 'signaturesLimit', label: text.limit, value: String(settings.signaturesLimit ?? 0), type: 'number' })}
${tick('switchToPrivateAfterLimitReached', text.closeAfter, settings.switchToPrivateAfterLimitReached)}
${tick('unique', text.unique, settings.unique?.includes('iin'))}
${field({ name: 'access', label: text.access, hint: text.accessHint, value: rulesText(settings.documentAccess), rows: 4 })}`,
  })
}

/** `/p/:packageId/settings`: who may see a package, and who may change its settings. */
export const packageSettingsPage: Page = async (visit) => {
  const packageId = visit.params.packageId ?? ''
  const { use, caller } = visit
  const { title, settings, documentsIds } = await use.getPackage.execute(caller, { packageId })
  const { settings: text, new: words } = visit.texts
  return settingsPage(visit, {
    name: title || visit.texts.package.untitled,
    kind: text.packageTitle,
    back: [`/p/${packageId}`, visit.texts.sign.backPackage],
    form: 'package-settings',
    mayChange: await use.changePackageSettings.admits(caller, { packageId }),
    now: settings,
    more: await packageSigners(visit, packageId, documentsIds),
    fields: html`${tick('private', words.private, settings.private)}${tick('signWholePackage', words.whole, settings.signWholePackage)}
${field({ name: 'access', label: text.access, hint: text.accessHint, value: rulesText(settings.packageAccess), rows: 4 })}
${field({ name: 'rights', label: text.packageRights, hint: text.accessHint, value: rulesText(settings.packageSettings), rows: 4 })}`,
  })
}

/** Most signers that the page shows as signed; of a document with more, who has to sign is not edited. */
const isWhole = ({ signatures, signaturesTotal }: DocumentResource): boolean => signatures.length === signaturesTotal

const signersAndUntil = (visit: Visit, document: DocumentResource): Html => {
  const { signers: text } = visit.texts
  const { signUntil } = document.settings
  const value = signUntil === undefined ? '' : fieldTime(signUntil)
  return html`${isWhole(document) ? signersEditor(visit, signersOf(visit, document)) : nothing}
${field({ name: 'signUntil', label: text.until, hint: text.untilHint, type: 'datetime-local', value })}`
}

/** Who has to sign the documents of a package, for whoever may change all of them. */
async function packageSigners(visit: Visit, packageId: string, ids: readonly string[]): Promise<Html> {
  const { use, caller, texts } = visit
  const documents: DocumentResource[] = []
  for (const id of ids) {
    if (!(await use.changeDocumentSettings.admits(caller, { id }))) return nothing
    documents.push(await use.getDocument.execute(caller, { id }))
  }
  const [first] = documents
  if (first === undefined || !documents.every(isWhole)) return nothing
  const differ = new Set(documents.map(({ settings }) => JSON.stringify(signingSettings(settings)))).size > 1
  return html`<section class="card"><h2>${texts.signers.ofPackage}</h2>${differ ? html`<p class="note">${texts.signers.differ}</p>` : nothing}
<noscript>${signersWords(visit, first.settings)}</noscript>
${live(visit, html`<form class="form" data-form="package-signers" data-of="/p/${packageId}" novalidate>${signersAndUntil(visit, first)}<p class="actions"><button class="strong" disabled>${texts.settings.save}</button></p>${outcome('signers-outcome')}</form>`)}${data('documents', ids)}</section>`
}

const signingSettings = (settings: DocumentSettings) => {
  const { signersRequirements = [], sequentialSignersRequirements = false, signUntil } = settings
  return { signersRequirements, sequentialSignersRequirements, signUntil }
}

interface SettingsOf {
  readonly name: string
  readonly kind: string
  readonly back: readonly [string, string]
  readonly form: string
  readonly mayChange: boolean
  readonly now: object
  readonly fields: Html
  /** What the form says, for browsers that run no scripts. */
  readonly words?: Html
  /** Forms beside it. */
  readonly more?: Html
}

const settingsPage = (
  visit: Visit,
  { name, kind, back: [href, label], form, mayChange, now, fields, words, more }: SettingsOf,
) => ({
  title: `${kind}: ${name}`,
  scripts: ['forms'],
  body: html`<div class="narrow"><p class="kicker">${kind}</p><h1><bdi>${name}</bdi></h1><p><a href="${href}">${label}</a></p>
${mayChange ? html`${words === undefined ? nothing : html`<noscript><section class="card"><h2>${visit.texts.signers.title}</h2>${words}</section></noscript>`}${live(visit, html`<form class="form card" data-form="${form}" data-of="${href}">${fields}<p class="actions"><button class="strong" disabled>${visit.texts.settings.save}</button></p>${outcome('progress')}</form>`)}${data('now', now)}${more ?? nothing}` : refusal(visit)}</div>`,
})

const refusal = (visit: Visit): Html => {
  const { noRight } = visit.texts.settings
  return visit.caller.kind === 'anonymous'
    ? loginFirst(visit, noRight)
    : html`<section class="card"><p>${noRight}</p></section>`
}
