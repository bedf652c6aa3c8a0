import type { AccessControl, OrganizationSettings } from '@signed-registry/client'
import type { Caller, OrganizationRight } from '@signed-registry/core'
import { digits } from '../formats.js'
import { type Html, html, nothing, raw } from '../html.js'
import { meaning } from '../meanings.js'
import type { Visit } from '../visit.js'
import { data } from './controls.js'

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

/** Roles in certificates that are offered; the first head has every right anyway. */
const ROLES = ['2', '3', '4', '5'].map((role) => `1.2.398.3.3.4.1.2.${role}`)
const NOBODY: AccessControl = { authorities: [], iins: [], tlsCertificatesIndices: [] }
/** People on a page. */
const PER_PAGE = 50

/** A row: somebody or something that has rights. Its key is an IIN, an OID, or `#` and the place of a system. */
interface Holder {
  readonly key: string
  readonly name: string
  readonly note?: string
}

/** The rights of people, roles and systems, a row each, for `browser/rights.ts`. */
export async function rightsMatrix(visit: Visit, settings: OrganizationSettings): Promise<Html> {
  const { workplace: text } = visit.texts
  const controls = await controlsOf(visit, settings)
  const everybody = allOf(controls, ({ iins }) => iins)
  const from = pageStart(visit, everybody.length)
  const people = everybody.slice(from, from + PER_PAGE).map((iin) => person(visit, iin))
  const oids = [...new Set([...ROLES, ...allOf(controls, ({ authorities }) => authorities)])]
  const roles = oids.map((oid) => ({ key: oid, name: meaning(visit.language, oid) }))
  const systems = settings.tlsCertificatesList.map(({ description, disabled }, index) => ({
    key: `#${index}`,
    name: description || text.systemUnnamed,
    ...(disabled && { note: text.systemOff }),
  }))
  const rows = (holders: readonly Holder[]) => holders.map((holder) => row(visit, controls, holder))
  return html`<table class="table matrix"><caption class="visually-hidden">${text.people}</caption><thead><tr><th scope="col">${text.who}</th>${RIGHTS.map((right) => html`<th scope="col">${visit.texts.organization.right[right]}</th>`)}</tr></thead>
<tbody>${group(text.employees)}${rows(people)}${newPerson(visit)}</tbody>
<tbody>${group(text.roles)}${rows(roles)}</tbody>
${systems.length === 0 ? nothing : html`<tbody>${group(text.systems)}${rows(systems)}</tbody>`}</table>
${pager(visit, from, everybody.length)}${data('now', { modifiedAt: settings.modifiedAt, controls })}`
}

const group = (title: string): Html =>
  html`<tr class="group"><th scope="rowgroup" colspan="${RIGHTS.length + 1}">${title}</th></tr>`

function row(visit: Visit, controls: Controls, { key, name, note }: Holder): Html {
  return html`<tr data-row="${key}"><th scope="row"><bdi>${name}</bdi>${note === undefined ? nothing : html` <small>${note}</small>`}</th>${cells(visit, name, key, (right) => has(controls[right], key))}</tr>`
}

const newPerson = (visit: Visit): Html =>
  html`<tr><th scope="row"><label for="new-person">${visit.texts.workplace.addPerson}</label><input id="new-person" name="new-person" inputmode="numeric" maxlength="20" autocomplete="off"></th>${cells(visit, visit.texts.workplace.addPerson, 'new', () => false)}</tr>`

const cells = (
  { texts: { organization: text } }: Visit,
  name: string,
  key: string,
  isGranted: (right: (typeof RIGHTS)[number]) => boolean,
): Html[] =>
  RIGHTS.map(
    (right) =>
      html`<td data-label="${text.right[right]}"><input type="checkbox" name="${right}" value="${key}" aria-label="${name}: ${text.right[right]}"${isGranted(right) ? raw(' checked') : nothing}></td>`,
  )

const has = ({ iins, authorities, tlsCertificatesIndices }: AccessControl, key: string): boolean =>
  key.startsWith('#') ? tlsCertificatesIndices.includes(Number(key.slice(1))) : [...iins, ...authorities].includes(key)

/** Only the number: a name beside any IIN that is typed in would make the page a directory of people. */
const person = ({ caller, texts }: Visit, iin: string): Holder => ({
  key: iin,
  name: `${texts.signature.iin} ${digits(iin)}`,
  ...(isSelf(caller, iin) && { note: texts.workplace.you }),
})

const isSelf = (caller: Caller, iin: string): boolean => caller.kind === 'employee' && caller.iin === iin

const allOf = (controls: Controls, part: (control: AccessControl) => readonly string[]): string[] =>
  [...new Set(RIGHTS.flatMap((right) => part(controls[right])))].sort()

const pageStart = ({ query }: Visit, total: number): number => {
  const from = Number(query.get('from') ?? 0)
  return Number.isSafeInteger(from) && from > 0 && from < total ? from : 0
}

function pager({ texts }: Visit, from: number, total: number): Html {
  const to = (start: number, rel: 'prev' | 'next', label: string) =>
    html`<a class="button" rel="${rel}" href="/organization?tab=people&amp;from=${start}">${label}</a>`
  if (total <= PER_PAGE) return nothing
  return html`<p class="pager">${from > 0 ? to(Math.max(0, from - PER_PAGE), 'prev', texts.workplace.before) : nothing}
${from + PER_PAGE < total ? to(from + PER_PAGE, 'next', texts.workplace.after) : nothing}</p>`
}

async function controlsOf({ use }: Visit, settings: OrganizationSettings): Promise<Controls> {
  const stored = async (right: OrganizationRight) =>
    (await use.organizationControls.find(settings.businessId, right)) ?? NOBODY
  const [packagesAccess, packagesList, packagesSettings] = await Promise.all([
    stored('packagesAccess'),
    stored('packagesList'),
    stored('packagesSettings'),
  ])
  const { documentsAccess, documentsList, documentsSettings, organizationSettings } = settings
  const { documentsPackagesRoute, routedDocumentsPackagesView } = settings
  return {
    ...{ documentsAccess, documentsList, documentsSettings, packagesAccess, packagesList, packagesSettings },
    ...{ organizationSettings, documentsPackagesRoute, routedDocumentsPackagesView },
  }
}
