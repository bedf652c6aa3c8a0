import type { DocumentResource, DocumentSettings } from '@signed-registry/client'
import { digits, personName } from '../formats.js'
import { type Html, html, nothing, raw } from '../html.js'
import { meaning } from '../meanings.js'
import type { Visit } from '../visit.js'
import { data, tick } from './controls.js'
import { partyNumber } from './party.js'

/** Who has to sign, as settings say it. */
export type Requirement = NonNullable<DocumentSettings['signersRequirements']>[number]

/** Roles that the editor offers, as certificates name them. */
const ROLES = ['1', '2', '3', '4', '5'].map((role) => `1.2.398.3.3.4.1.2.${role}`)

/** What the editor is filled with. */
export interface Signers {
  readonly settings: DocumentSettings
  /** Whoever has signed already, oldest first; in `/new` whoever is about to. */
  readonly done: readonly Requirement[]
  /** Their names, and the words before them. */
  readonly names: readonly string[]
  readonly words: string
}

/** Edits who has to sign, one after another or in any order, for `browser/signers.ts`. */
export function signersEditor(visit: Visit, { settings, done, names, words }: Signers): Html {
  const { signers: text } = visit.texts
  const inOrder = settings.sequentialSignersRequirements ?? false
  const all = settings.signersRequirements ?? []
  const rows = inOrder ? all.slice(done.length) : all
  return html`<fieldset class="inner signers" data-signers><legend>${text.title}</legend>
<p class="hint">${text.hint}</p>
${done.length === 0 ? nothing : html`<div class="done"><p class="hint">${words}</p><ol>${names.map((name) => html`<li><bdi>${name}</bdi></li>`)}</ol></div>`}
<ol class="signer-rows">${rows.map((one) => signerRow(visit, one))}</ol>
<template>${signerRow(visit)}</template>
<p class="actions"><button type="button" data-add disabled>${text.add}</button>${headFirst(visit)}</p>
${tick('inOrder', text.inOrder, inOrder)}
<p class="visually-hidden" role="status" aria-live="polite"></p>
${data('signers', { done: inOrder && all.length >= done.length ? all.slice(0, done.length) : done })}</fieldset>`
}

/** In one click: the head of the visitor's organization, then the counterparty. */
function headFirst({ caller, texts: { signers: text } }: Visit): Html {
  if (caller.kind !== 'employee')
    return html`<button type="button" data-preset="" disabled>${text.thenCounterparty}</button>`
  return html`<button type="button" data-preset="${digits(caller.bin)}" disabled>${text.headThenCounterparty}</button>`
}

function signerRow(visit: Visit, requirement?: Requirement): Html {
  const { language, texts } = visit
  const { signers: text } = texts
  const { iin, bin, authorities = [], ca } = requirement ?? {}
  // What the fields cannot say stays as it is.
  const isOdd = ca !== undefined || (iin !== undefined && bin !== undefined) || authorities.length > 1
  const [role] = authorities
  const roles = role === undefined || ROLES.includes(role) ? ROLES : [...ROLES, role]
  const isOrganization = iin === undefined && requirement !== undefined
  const chosen = (is: boolean) => (is ? raw(' selected') : nothing)
  const fields = html`<label><span>${text.kind}</span><select data-kind><option value="iin"${chosen(!isOrganization)}>${text.person}</option><option value="bin"${chosen(isOrganization)}>${text.organization}</option></select></label>
<label><span>${text.number}</span><input data-number value="${digits(bin ?? iin ?? '')}" inputmode="numeric" maxlength="24" dir="auto" list="recipients" autocomplete="off"></label>
<label data-role-of${isOrganization ? nothing : raw(' hidden')}><span>${text.role}</span><select data-role><option value="">${text.anyRole}</option>${roles.map((oid) => html`<option value="${oid}"${chosen(oid === role)}>${meaning(language, oid)}</option>`)}</select></label>`
  return html`<li class="signer-row"${isOdd ? html` data-as-is="${JSON.stringify(requirement)}"` : nothing}><fieldset><legend></legend><div class="signer-fields">${isOdd && requirement !== undefined ? html`<p>${requirementWords(visit, requirement)}</p>` : fields}</div>
<p class="signer-moves"><button type="button" class="small" data-move="-1" disabled aria-label="${text.up}">↑</button><button type="button" class="small" data-move="1" disabled aria-label="${text.down}">↓</button><button type="button" class="small" data-remove disabled>${text.remove}</button></p></fieldset></li>`
}

/** The signers of a document for the editor. */
export const signersOf = ({ texts }: Visit, { settings, signatures }: DocumentResource): Signers => ({
  settings,
  done: signatures.map(({ userId, businessId }) => ({
    iin: userId,
    ...(businessId !== undefined && { bin: businessId }),
  })),
  names: signatures.map(({ userId, subjectStructure }) => personName(subjectStructure) || digits(userId)),
  words: texts.signers.done,
})

/** The visitor, who signs first what they register; nothing for visitors who have not logged in. */
export function newSigners(visit: Visit): Html {
  const { caller, texts } = visit
  if (caller.kind !== 'person' && caller.kind !== 'employee') return nothing
  const done = [caller.kind === 'employee' ? { iin: caller.iin, bin: caller.bin } : { iin: caller.iin }]
  return signersEditor(visit, { settings: {}, done, names: [texts.history.you], words: texts.signers.first })
}

/** Who has to sign, in words, for browsers that run no scripts. */
export function signersWords(visit: Visit, settings: DocumentSettings): Html {
  const { signers: text } = visit.texts
  const { signersRequirements = [], sequentialSignersRequirements = false } = settings
  if (signersRequirements.length === 0) return html`<p>${text.nobody}</p>`
  const items = signersRequirements.map((one) => html`<li>${requirementWords(visit, one)}</li>`)
  return sequentialSignersRequirements
    ? html`<p>${text.allInOrder}</p><ol>${items}</ol>`
    : html`<p>${text.anyOrder}</p><ul>${items}</ul>`
}

/** A requirement in words: numbers, the role, the authority that issues the certificate. */
export function requirementWords(visit: Visit, { iin, bin, authorities = [], ca }: Requirement): string {
  const numbers = [iin, bin].flatMap((one) => (one === undefined ? [] : [partyNumber(visit, one)]))
  const roles = authorities.map((oid) => meaning(visit.language, oid))
  return [...numbers, ...roles, ...(ca === undefined ? [] : [ca])].join(', ')
}
