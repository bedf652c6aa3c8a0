import { createRequire } from 'node:module'
import { CAUSAL } from '#core/database/causal-reader.js'

type Query = (this: object, sql: string | { sql: string }, ...rest: unknown[]) => unknown

/** Makes a host read at a Galera node without waiting for what other nodes committed: what `bench galera` compares with. */
const { Connection }: { Connection: { prototype: { query: Query } } } = createRequire(import.meta.url)('mysql2')
const { query } = Connection.prototype
Connection.prototype.query = function (sql, ...rest) {
  const isWait = (typeof sql === 'string' ? sql : sql.sql) === CAUSAL
  return query.call(this, isWait ? 'SET SESSION wsrep_sync_wait = 0' : sql, ...rest)
}
