import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

const BY_PLACE = 'registry_renewal_members_place'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii, blob, bytes, clustered, id, json } = columns(dialect)
  const unique = dialect === 'mysql' ? `, unique index ${BY_PLACE} (batch, place)` : ''

  // Signatures whose data objects are renewed together, in the order of their signId.
  await knex.raw(
    `create table if not exists registry_renewal_batches (
      batch int not null primary key, members int not null, last_sign_id bigint not null, sealed_at bigint null,
      depends_on ${json} not null, lost_at bigint null, lost_for ${ascii(60)} null
    )`,
  )
  // What the data object of a signature has that is not in the row of the signature.
  await knex.raw(
    `create table if not exists registry_renewal_members (
      sign_id bigint not null primary key, batch int not null, place int not null, rest ${json} not null${unique}
    )`,
  )
  // The trees of a batch: one for each chain of its evidence records, by one digest each.
  await knex.raw(
    `create table if not exists registry_renewal_chains (
      batch int not null, chain tinyint not null, first_chain tinyint not null, digest_oid ${ascii(40)} not null, hashed int not null,
      root ${bytes(64)} null, primary key (batch, chain)
    )${clustered}`,
  )
  // Hashes of a tree, 256 in a row, of every eighth level; the last row of a level grows.
  await knex.raw(
    `create table if not exists registry_renewal_hashes (
      batch int not null, chain tinyint not null, level tinyint not null, idx int not null, hashes ${bytes(16_384)} not null,
      primary key (batch, chain, level, idx)
    )`,
  )
  await knex.raw(
    `create table if not exists registry_renewal_stamps (
      batch int not null, chain tinyint not null, stamp smallint not null, token ${blob} not null,
      gen_time bigint not null, authority ${json} not null, primary key (batch, chain, stamp)
    )`,
  )
  // One row: what an administrator has asked for, and why nothing was renewed where it should have been.
  await knex.raw(
    `create table if not exists registry_renewal_state (
      id tinyint not null primary key, requested_at bigint null, done_at bigint null, problem ${json} null,
      problem_since bigint null, figures ${json} null, told_at bigint null
    )`,
  )
  // Signatures whose proof had ended, or was lost, when a run looked last.
  await knex.raw(
    `create table if not exists registry_renewal_lost (
      sign_id bigint not null primary key, document_id ${id} not null, because ${ascii(60)} not null, found_at bigint not null
    )${clustered}`,
  )
  if (dialect === 'mysql') return
  await knex.raw(`create unique index if not exists ${BY_PLACE} on registry_renewal_members (batch, place)`)
}
