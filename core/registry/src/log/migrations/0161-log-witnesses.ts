import type { Knex } from 'knex'
import { columns, type Dialect } from '../../database/dialect.js'

export async function up(knex: Knex, dialect: Dialect): Promise<void> {
  const { ascii, text } = columns(dialect)
  // What is known of each witness of a log; `witness` is the SHA-256 of its verifier key.
  await knex.raw(
    `create table if not exists registry_log_witnesses (
      log tinyint not null, witness ${ascii(64)} not null, name ${text(255)} not null, size bigint not null,
      cosigned_at bigint null, failed_at bigint null, failure ${ascii(64)} null, objection ${ascii(16)} null,
      primary key (log, witness)
    )`,
  )
}
