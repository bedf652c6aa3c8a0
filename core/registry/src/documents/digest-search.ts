import { Database } from '../database/database.js'
import { places, type Row } from '../database/rows.js'
import { Timeline } from '../database/timeline.js'
import { type Caller, type OrganizationRight, OrganizationRights, organizationOf } from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { organizationList, ownList } from './document-lists.js'

/** Documents of a list that are gone along; a longer list is asked about each document of the hash. */
const SHORT_LIST = 10_000
/** Documents that not everybody may view, of those with one hash: so many of the oldest are asked whether a rule, a package or a delivery opens them. */
const ASKED_FOR_RULES = 10_000
const ALL = { from: 0, until: Number.MAX_SAFE_INTEGER }

/**
 * Finds which documents with given hashes a caller may view, whatever number of others have the same hashes: who may view
 * is part of each question. What it finds is a first answer; the access table decides.
 */
export class DigestSearch {
  static readonly inject = { database: Database, timeline: Timeline, rights: OrganizationRights }

  constructor(private readonly use: Injected<typeof DigestSearch.inject>) {}

  /** Of each way that leads to documents `limit`: of those open to everybody the oldest and the newest, of the caller's the oldest. */
  async find(caller: Caller, digests: readonly Uint8Array[], limit: number): Promise<string[]> {
    const each = digests.map((one) => Buffer.from(one.buffer, one.byteOffset, one.byteLength))
    const values = [...new Map(each.map((one) => [one.toString('latin1'), one])).values()]
    if (values.length === 0) return []
    const found = new Set(await this.openToAll(values, Math.ceil(limit / 2)))
    for (const list of await this.lists(caller)) for (const id of await this.inList(list, values, limit)) found.add(id)
    if (caller.kind !== 'anonymous') for (const id of await this.byRules(caller, values, limit)) found.add(id)
    return [...found]
  }

  private async openToAll(values: readonly Buffer[], each: number): Promise<string[]> {
    const ends = values.flatMap((value) => ['asc', 'desc'].map((order) => ({ value, order })))
    const parts = ends.map(
      ({ order }) => `select * from (select document_id from registry_document_digests
        where value = ? and is_open = 1 order by stored_at ${order}, document_id ${order} limit ${each}) part`,
    )
    return this.ids(
      parts.join(' union all '),
      ends.map(({ value }) => value),
    )
  }

  /** The lists of what the caller signed, and of what their organization signed or registered where they may view that. */
  private async lists(caller: Caller): Promise<string[]> {
    const own = ownList(caller)
    const bin = organizationOf(caller)
    const mayAll = bin !== undefined && (await this.use.rights.allow(caller, bin, 'documentsAccess'))
    return [...(own === undefined ? [] : [own]), ...(mayAll ? [organizationList(bin)] : [])]
  }

  /** The shorter way: along the list, or along the documents of the hash. */
  private async inList(list: string, values: readonly Buffer[], limit: number): Promise<string[]> {
    const isShort = (await this.use.timeline.total(list, ALL)) <= SHORT_LIST
    const join = this.use.database.dialect === 'mysql' ? 'straight_join' : 'cross join'
    const [item, digest] = ['registry_timelines t', 'registry_document_digests d']
    const sql = `select d.document_id from ${isShort ? `${item} ${join} ${digest}` : `${digest} ${join} ${item}`}
      on d.document_id = t.item and t.at = d.stored_at
      where t.list = ? and d.value in (${places(values)}) order by t.at limit ${limit}`
    return this.ids(sql, [list, ...values])
  }

  private async byRules(
    caller: Exclude<Caller, { kind: 'anonymous' }>,
    values: readonly Buffer[],
    limit: number,
  ): Promise<string[]> {
    const { conditions, bindings } = waysOf(await this.openings(caller))
    if (conditions.length === 0) return []
    const join = this.use.database.dialect === 'mysql' ? 'straight_join' : 'cross join'
    const closed = `select document_id from registry_document_digests
      where value = ? and is_open = 0 order by stored_at, document_id limit ${ASKED_FOR_RULES}`
    const sql = `select d.id as document_id from (${closed}) c ${join} registry_documents d on d.id = c.document_id
      left join registry_packages p on p.id = d.package_id where ${conditions.join(' or ')} limit ${limit}`
    const found: string[] = []
    for (const value of values) found.push(...(await this.ids(sql, [value, ...bindings])))
    return found
  }

  /** Exactly what the access table lets the caller through by: others could fill the limit with what it does not. */
  private async openings(caller: Exclude<Caller, { kind: 'anonymous' }>): Promise<Openings> {
    const bin = organizationOf(caller)
    const mayBy = async (right: OrganizationRight) =>
      bin !== undefined && (await this.use.rights.allow(caller, bin, right)) ? [bin] : []
    const throughRules = (await mayBy('documentsAccess')).map((one) => `"bin":"${one}"`)
    const receivers = await mayBy('routedDocumentsPackagesView')
    if (caller.kind === 'system') return { rules: throughRules, receivers }
    const { iin } = caller
    if (bin === undefined) return { rules: [`{"iin":"${iin}"}`], receivers: [iin], registeredBy: { iin } }
    const named = [`{"iin":"${iin}","bin":"${bin}"}`, `{"bin":"${bin}","iin":"${iin}"}`]
    return { rules: [...named, ...throughRules], receivers, registeredBy: { iin, bin } }
  }

  private async ids(sql: string, bindings: readonly (string | Buffer)[]): Promise<string[]> {
    return (await this.use.database.rows(sql, bindings)).map(({ document_id }: Row) => String(document_id))
  }
}

/** What opens documents to a caller besides their lists. */
interface Openings {
  /** Parts of access rules as JSON, without spaces. */
  readonly rules: readonly string[]
  /** To whom they were delivered. */
  readonly receivers: readonly string[]
  /** Who registered their package. */
  readonly registeredBy?: { readonly iin: string; readonly bin?: string }
}

/** Documents that settings of their own or of their package open, or a delivery. */
function waysOf({ rules, receivers, registeredBy }: Openings): { conditions: string[]; bindings: string[] } {
  const settings = `case when d.settings <> 'null' then d.settings else p.documents_settings end`
  const delivered = (subject: string) => `exists (select 1 from registry_routing_items r
    where r.subject_id = ${subject} and r.receiver = ? and r.delivered_at is not null)`
  return {
    conditions: [
      ...rules.map(() => `replace(json_extract(${settings}, '$.documentAccess'), ' ', '') like ?`),
      ...receivers.flatMap(() => [delivered('d.id'), delivered('p.id')]),
      ...(registeredBy === undefined ? [] : [`(p.registered_by_iin = ? and coalesce(p.registered_by_bin, '') = ?)`]),
    ],
    bindings: [
      ...rules.map((rule) => `%${rule}%`),
      ...receivers.flatMap((one) => [one, one]),
      ...(registeredBy === undefined ? [] : [registeredBy.iin, registeredBy.bin ?? '']),
    ],
  }
}
