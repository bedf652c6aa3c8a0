import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii, bytes, json, text } = columns(dialect)
  // The last checkpoint of each log of others that this registry has cosigned; without a note after an operator's resumption.
  await knex.raw(
    `create table if not exists registry_log_witnessed (
      origin_hash ${ascii(64)} not null primary key, origin ${text(255)} not null, size bigint not null,
      root ${bytes(32)} not null, note ${json} null, cosigned_at bigint not null, halted_at bigint null
    )`,
  )
}
