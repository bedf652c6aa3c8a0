import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'
import { endingsOf } from '../word-index.js'

const DOCUMENTS_AT_ONCE = 200
const ROWS_AT_ONCE = 500

/** Words of a document stand once and not for every list that it is in; words are found by what is inside them. */
export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { id, key, json, clustered } = columns(dialect)
  // The words of a document as text: those of its registration are part 0, each later signature adds a part.
  await knex.raw(
    `create table if not exists registry_search_texts (
      document_id ${id} not null, part integer not null, words ${json} not null, primary key (document_id, part)
    )${clustered}`,
  )
  // Documents by their words, in the order of time.
  await knex.raw(
    `create table if not exists registry_search_words (
      word ${key} not null, at bigint not null, document_id ${id} not null, primary key (word, at, document_id)
    )${clustered}`,
  )
  // Every word that any document has, by all its endings: what is inside a word begins one of them.
  await knex.raw(
    `create table if not exists registry_search_endings (
      ending ${key} not null, word ${key} not null, primary key (ending, word)
    )${clustered}`,
  )
  if (await knex.schema.hasColumn('registry_documents', 'search_words')) {
    await moveWords(knex)
    await knex.schema.alterTable('registry_documents', (table) => table.dropColumn('search_words'))
  }
  await knex.schema.dropTableIfExists('registry_document_words')
}

interface Kept {
  readonly id: string
  readonly stored_at: number
  readonly search_words: string | null
}

async function moveWords(knex: Knex): Promise<void> {
  for (let after = ''; ; ) {
    const kept: Kept[] = await knex('registry_documents')
      .where('id', '>', after)
      .orderBy('id')
      .limit(DOCUMENTS_AT_ONCE)
      .select('id', 'stored_at', 'search_words')
    const documents = kept.map(({ id, stored_at: at, search_words }) => {
      const all: string[] = JSON.parse(search_words ?? '[]')
      // An IIN or BIN stood there twice, with and without its prefix; the second is inside the first.
      const words = all.filter((word) => !all.includes(`iin${word}`) && !all.includes(`bin${word}`))
      return { id, at, words }
    })
    const words = [...new Set(documents.flatMap((document) => document.words))]
    await knex.transaction(async (trx) => {
      const add = (table: string, rows: readonly object[]) => insertMissing(trx, table, rows)
      await add(
        'registry_search_texts',
        documents.map((document) => ({ document_id: document.id, part: 0, words: document.words.join(' ') })),
      )
      await add(
        'registry_search_words',
        documents.flatMap((document) =>
          document.words.map((word) => ({ word, at: document.at, document_id: document.id })),
        ),
      )
      await add(
        'registry_search_endings',
        words.flatMap((word) => endingsOf(word).map((ending) => ({ ending, word }))),
      )
    })
    const last = kept.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

async function insertMissing(trx: Knex, table: string, rows: readonly object[]): Promise<void> {
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    await trx(table)
      .insert(rows.slice(from, from + ROWS_AT_ONCE))
      .onConflict()
      .ignore()
  }
}
