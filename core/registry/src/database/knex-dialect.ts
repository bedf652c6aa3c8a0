import knex, { type Knex } from 'knex'

/** The class of a dialect of Knex: it builds statements and has the pool, a class of ours under it brings the connections. */
export function knexDialect(client: 'better-sqlite3' | 'mysql2'): typeof Knex.Client {
  return knex({ client, useNullAsDefault: true }).client.constructor
}
