import { Database } from '../database/database.js'
import { places, type Row } from '../database/table.js'
import { Timeline } from '../database/timeline.js'
import { type Caller, type OrganizationRight, OrganizationRights, organizationOf } from '../identity/index.js'
import { digestFrom } from '../kernel/digest-text.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { Injected } from '../kernel/service.js'
import { openedToNamed, openedToOrganization, openedToPackageRegistrator, openedToReceiver } from './digest-openings.js'
import { organizationList, ownList } from './document-lists.js'

/** Up to so many documents a list is scanned; a longer one is probed for each document with the hash. */
const MAX_SCANNED = 10_000
const ALL = { from: 0, until: Number.MAX_SAFE_INTEGER }

/**
 * Finds the documents with given hashes that a caller may view, however many others have the same hashes: access is part of
 * each query. The results are candidates: the access table decides.
 */
export class DigestSearch {
  static readonly inject = { database: Database, timeline: Timeline, rights: OrganizationRights }

  constructor(private readonly use: Injected<typeof DigestSearch.inject>) {}

  /** Up to `limit` by each kind of access: the oldest and the newest of the public ones, and the oldest of the caller's. */
  async find(caller: Caller, digests: readonly Uint8Array[], limit: number): Promise<string[]> {
    const each = digests.map((one) => Buffer.from(one.buffer, one.byteOffset, one.byteLength))
    const values = [...new Map(each.map((one) => [one.toString('latin1'), one])).values()]
    if (values.length === 0) return []
    const found = new Set(await this.openToAll(values, Math.ceil(limit / 2)))
    for (const list of await this.lists(caller)) for (const id of await this.inList(list, values, limit)) found.add(id)
    if (caller.kind !== 'anonymous') for (const id of await this.byOpenings(caller, values, limit)) found.add(id)
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

  /** The list of the caller, and that of their organization if they may view it. */
  private async lists(caller: Caller): Promise<string[]> {
    const own = ownList(caller)
    const bin = organizationOf(caller)
    const mayAll = bin !== undefined && (await this.use.rights.allow(caller, bin, 'documentsAccess'))
    return [...(own === undefined ? [] : [own]), ...(mayAll ? [organizationList(bin)] : [])]
  }

  /** Scans the list, or the documents with the hash, whichever is shorter. */
  private async inList(list: string, values: readonly Buffer[], limit: number): Promise<string[]> {
    const isShort = (await this.use.timeline.total(list, ALL)) <= MAX_SCANNED
    const join = this.use.database.dialect === 'mysql' ? 'straight_join' : 'cross join'
    const [item, digest] = ['registry_timelines t', 'registry_document_digests d']
    const sql = `select d.document_id from ${isShort ? `${item} ${join} ${digest}` : `${digest} ${join} ${item}`}
      on d.document_id = t.item and t.at = d.stored_at
      where t.list = ? and d.value in (${places(values)}) order by t.at limit ${limit}`
    return this.ids(sql, [list, ...values])
  }

  /** Documents that a rule, a package or a delivery opens to the caller. */
  private async byOpenings(
    caller: Exclude<Caller, { kind: 'anonymous' }>,
    values: readonly Buffer[],
    limit: number,
  ): Promise<string[]> {
    const ways = (await this.openings(caller)).flatMap((openedTo) => values.map((value) => ({ value, openedTo })))
    const part = `select * from (select document_id from registry_digest_openings
      where value = ? and opened_to = ? order by stored_at, document_id limit ${limit}) part`
    if (ways.length === 0) return []
    return this.ids(
      ways.map(() => part).join(' union all '),
      ways.flatMap(({ value, openedTo }) => [value, openedTo]),
    )
  }

  /** Exactly the keys that the access table accepts: with more, others could fill the limit with inaccessible documents. */
  private async openings(caller: Exclude<Caller, { kind: 'anonymous' }>): Promise<string[]> {
    const bin = organizationOf(caller)
    const mayBy = async (right: OrganizationRight) =>
      bin !== undefined && (await this.use.rights.allow(caller, bin, right)) ? [bin] : []
    const organization = [
      ...(await mayBy('documentsAccess')).map(openedToOrganization),
      ...(await mayBy('routedDocumentsPackagesView')).map(openedToReceiver),
    ]
    if (caller.kind === 'system') return organization
    const { iin } = caller
    const own = [openedToNamed(iin, bin), openedToPackageRegistrator(iin, bin)]
    return bin === undefined ? [...own, openedToReceiver(iin)] : [...own, ...organization]
  }

  private async ids(sql: string, bindings: readonly (string | Buffer)[]): Promise<string[]> {
    return (await this.use.database.rows(sql, bindings)).map(({ document_id }: Row) => String(document_id))
  }
}

/** Decodes the base64 hash of a query. Throws `invalidQueryParameter`. */
export function readDigest(text: string): Buffer {
  const digest = digestFrom(text)
  if (digest === undefined) throw requestErrors.error('invalidQueryParameter', { parameter: 'digest' })
  return digest
}
