import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

const WAITING_BY_REF = 'registry_log_pending_ref'
const BY_REF = 'registry_log_entries_ref'
const BY_STAMP = 'registry_log_checkpoints_stamp'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii, blob, bytes, clustered, json } = columns(dialect)
  const inline = (name: string, on: string) => (dialect === 'mysql' ? `, index ${name} (${on})` : '')
  const counted =
    dialect === 'mysql' ? 'bigint not null auto_increment primary key' : 'integer primary key autoincrement'

  // Entries that are in no tree yet, in the order of their commits as far as ids show it. A public entry has no salt.
  await knex.raw(
    `create table if not exists registry_log_pending (
      id ${counted}, kind tinyint not null, ref ${ascii(160)} not null, salt ${bytes(32)} null, entry ${blob} not null${inline(WAITING_BY_REF, 'ref')}
    )`,
  )
  // Each log in turn; a later one begins where a restored database could not go on with an earlier one.
  await knex.raw(
    `create table if not exists registry_logs (
      log tinyint not null primary key, name ${ascii(32)} not null, origin ${ascii(255)} not null,
      verifier_key ${ascii(512)} null, size bigint not null, root ${bytes(32)} not null,
      published_size bigint not null, started_at bigint not null, ended_at bigint null, halted ${ascii(20)} null,
      holder ${ascii(32)} not null, held_until bigint not null
    )`,
  )
  // What opens an entry: its text is written again from what it is about.
  await knex.raw(
    `create table if not exists registry_log_entries (
      log tinyint not null, idx bigint not null, kind tinyint not null, ref ${ascii(160)} not null,
      salt ${dialect === 'mysql' ? 'binary(32)' : 'blob'} null, primary key (log, idx)${inline(BY_REF, 'ref')}
    )${clustered}`,
  )
  // Hashes of the tree, 256 in a row, and the entries under them; the last row of a level grows.
  await knex.raw(
    `create table if not exists registry_log_tiles (
      log tinyint not null, level tinyint not null, idx bigint not null, hashes ${bytes(8192)} not null,
      primary key (log, level, idx)
    )`,
  )
  await knex.raw(
    `create table if not exists registry_log_bundles (
      log tinyint not null, idx bigint not null, entries ${blob} not null, primary key (log, idx)
    )`,
  )
  await knex.raw(
    `create table if not exists registry_log_checkpoints (
      log tinyint not null, size bigint not null, note ${json} not null, signed_at bigint not null,
      stamp ${blob} null, stamped_at bigint null, primary key (log, size)${inline(BY_STAMP, 'log, stamped_at, size')}
    )`,
  )

  if (dialect === 'mysql') return
  await knex.raw(`create index if not exists ${WAITING_BY_REF} on registry_log_pending (ref)`)
  await knex.raw(`create index if not exists ${BY_REF} on registry_log_entries (ref)`)
  await knex.raw(`create index if not exists ${BY_STAMP} on registry_log_checkpoints (log, stamped_at, size)`)
}
