import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

const TABLE = 'registry_digest_openings'
/** Read at a time; a document has up to a thousand rules. */
const DOCUMENTS_AT_ONCE = 100
/** Written at a time: a node of a Galera cluster refuses what changes too much at once, and SQLite takes no more than 500. */
const ROWS_AT_ONCE = 250
const LONGEST = 48

interface Hashed {
  readonly value: Buffer
  readonly stored_at: number | string
  readonly document_id: string
}

/** Keeps beside each hash to whom a rule, a package or a delivery opens a document with it: what is open to a caller is found by an index, however many documents have the hash. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, ascii, bytes, clustered } = columns(dialect)
  await knex.raw(
    `create table if not exists ${TABLE} (
      value ${bytes(64)} not null, opened_to ${ascii(LONGEST)} not null, stored_at bigint not null,
      document_id ${id} not null, primary key (value, opened_to, stored_at, document_id)
    )${clustered}`,
  )
  await indexDocuments(knex, dialect)
  await openByRulesAndPackages(knex)
  await openByDeliveries(knex)
}

async function indexDocuments(knex: Knex, dialect: Dialect): Promise<void> {
  const index = `${TABLE}_document`
  const known =
    dialect === 'mysql'
      ? (await knex.raw(`show index from ${TABLE} where Key_name = '${index}'`))[0]
      : await knex.raw(`select 1 from sqlite_master where type = 'index' and name = '${index}'`)
  if (known.length === 0) await knex.schema.alterTable(TABLE, (table) => table.index(['document_id'], index))
}

async function openByRulesAndPackages(knex: Knex): Promise<void> {
  for (let after = ''; ; ) {
    const documents = await knex('registry_documents as d')
      .leftJoin('registry_packages as p', 'p.id', 'd.package_id')
      .where('d.id', '>', after)
      .whereNotNull('d.digests_fixed_at')
      .andWhere((either) => either.whereNotNull('d.package_id').orWhere('d.settings', 'like', '%"documentAccess"%'))
      .orderBy('d.id')
      .limit(DOCUMENTS_AT_ONCE)
      .select('d.id', 'd.settings', 'p.documents_settings', 'p.registered_by_iin', 'p.registered_by_bin')
    const last = documents.at(-1)
    if (last === undefined) return
    const openedTo = new Map(documents.map((document) => [document.id, openedToOf(document)]))
    await open(knex, [...openedTo.keys()], (id) => openedTo.get(id) ?? [])
    after = last.id
  }
}

interface Document {
  readonly settings: string
  readonly documents_settings: string | null
  readonly registered_by_iin: string | null
  readonly registered_by_bin: string | null
}

function openedToOf(document: Document): Iterable<string> {
  const { registered_by_iin, registered_by_bin } = document
  const settings = JSON.parse(document.settings) ?? JSON.parse(document.documents_settings ?? 'null') ?? {}
  const openedTo = new Set<string>()
  for (const { iin, bin } of settings.documentAccess ?? []) {
    if (iin !== undefined) openedTo.add(bin === undefined ? `named ${iin}` : `named ${iin}/${bin}`)
    if (bin !== undefined) openedTo.add(`named ${bin}`)
  }
  if (registered_by_iin !== null)
    openedTo.add(`registered ${registered_by_iin}${registered_by_bin === null ? '' : `/${registered_by_bin}`}`)
  return openedTo
}

async function openByDeliveries(knex: Knex): Promise<void> {
  for (let after = ''; ; ) {
    const items = await knex('registry_routing_items as i')
      .leftJoin('registry_packages as p', 'p.id', 'i.subject_id')
      .where('i.id', '>', after)
      .whereNotNull('i.delivered_at')
      .orderBy('i.id')
      .limit(DOCUMENTS_AT_ONCE)
      .select('i.id', 'i.subject_id', 'i.receiver', 'p.documents_ids')
    const last = items.at(-1)
    if (last === undefined) return
    const receivers = new Map<string, string[]>()
    for (const { subject_id, receiver, documents_ids } of items) {
      const ids: string[] = documents_ids === null ? [subject_id] : JSON.parse(documents_ids)
      for (const id of ids) receivers.set(id, [...(receivers.get(id) ?? []), `received ${receiver}`])
    }
    await open(knex, [...receivers.keys()], (id) => receivers.get(id) ?? [])
    after = last.id
  }
}

async function open(knex: Knex, ids: readonly string[], openedTo: (id: string) => Iterable<string>): Promise<void> {
  for (let from = 0; from < ids.length; from += ROWS_AT_ONCE) {
    const some = ids.slice(from, from + ROWS_AT_ONCE)
    const hashes: Hashed[] = await knex('registry_document_digests')
      .whereIn('document_id', some)
      .select('value', 'stored_at', 'document_id')
    const rows = hashes.flatMap(({ value, stored_at, document_id }) =>
      [...openedTo(document_id)].map((opened_to) => ({ value, opened_to, stored_at, document_id })),
    )
    for (let at = 0; at < rows.length; at += ROWS_AT_ONCE) {
      await knex(TABLE)
        .insert(rows.slice(at, at + ROWS_AT_ONCE))
        .onConflict()
        .ignore()
    }
  }
}
