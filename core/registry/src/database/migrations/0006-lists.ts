import type { Knex } from 'knex'
import { columns, type Dialect } from '../dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, key, clustered } = columns(dialect)

  // Newest-first lists: one row for each list that an item stands in.
  await knex.raw(
    `create table if not exists registry_timelines (
      list ${key} not null, at bigint not null, item ${id} not null, primary key (list, at, item)
    )${clustered}`,
  )
  // How many items of a list stand before a moment; kept for moments that are some minutes past.
  await knex.raw(
    `create table if not exists registry_timeline_marks (
      list ${key} not null, at bigint not null, items_before bigint not null, primary key (list, at)
    )${clustered}`,
  )
  // Search: one row for each list and each word of a document that stands in it.
  await knex.raw(
    `create table if not exists registry_document_words (
      list ${key} not null, word ${key} not null, at bigint not null, document_id ${id} not null,
      primary key (list, word, at, document_id)
    )${clustered}`,
  )
  if (!(await knex.schema.hasColumn('registry_documents', 'search_words'))) {
    await knex.schema.alterTable('registry_documents', (table) => {
      table.specificType('search_words', columns(dialect).json).nullable()
    })
  }
}
