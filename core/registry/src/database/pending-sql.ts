import knex, { type Knex } from 'knex'
import { dialectOf } from './dialect.js'
import { type Migrations, schemaStatus } from './migrate.js'

interface Query {
  readonly sql: string
  readonly bindings?: readonly Knex.RawBinding[]
  response?: unknown
  context?: unknown
}

/** The statements that would bring a schema up to date, one string each. Nothing is changed; tables count as empty. */
export async function pendingSql(database: Knex, migrations: Migrations): Promise<string[]> {
  const { pending } = await schemaStatus(database, migrations)
  const statements: string[] = []
  const recording = recorder(database, statements)
  for (const { name, up } of migrations) {
    if (!pending.includes(name)) continue
    statements.push(`-- ${name}`)
    await up(recording, dialectOf(database))
  }
  return statements
}

/** Speaks as this database does, writes down what it is asked, and answers that there is nothing. */
function recorder(database: Knex, statements: string[]): Knex {
  const Client: typeof Knex.Client = database.client.constructor
  const isMysql = dialectOf(database) === 'mysql'
  class Recorder extends Client {
    override async acquireRawConnection() {
      return {}
    }
    override async destroyRawConnection() {}
    override async validateConnection() {
      return true
    }
    async _query(_connection: object, query: Query): Promise<Query> {
      const text = database.raw(query.sql, [...(query.bindings ?? [])]).toQuery()
      if (!/^\s*(select|show|pragma|begin|commit|rollback|savepoint|release)/i.test(text)) statements.push(`${text};`)
      query.response = isMysql ? [[], []] : []
      query.context = { changes: 0, lastID: 0 }
      return query
    }
  }
  return knex({
    client: Recorder,
    connection: { filename: ':memory:' },
    useNullAsDefault: true,
    pool: { min: 0, max: 1 },
  })
}
