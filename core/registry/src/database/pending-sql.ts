import knex, { type Knex } from 'knex'
import { dialectOf } from './dialect.js'
import { type Migrations, schemaStatus } from './migrate.js'

/** The statements that would bring a schema up to date, one string each. Changes nothing; tables are taken as empty. */
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

type Bindings = readonly Knex.RawBinding[]
/** What Knex uses of the connections of both databases. */
interface Connection {
  query(options: { sql: string }, bindings: Bindings, done: (error: null, rows: [], fields: []) => void): void
  prepare(sql: string): { reader: boolean; all(bindings: Bindings): []; run(bindings: Bindings): object }
}

/** A Knex of the same dialect that records statements, and answers each with no rows. */
function recorder(database: Knex, statements: string[]): Knex {
  const note = (sql: string, bindings: Bindings = []) => {
    const text = database.raw(sql, [...bindings]).toQuery()
    if (!/^\s*(select|show|pragma|begin|commit|rollback|savepoint|release)/i.test(text)) statements.push(`${text};`)
  }
  const connection: Connection = {
    query({ sql }, bindings, done) {
      note(sql, bindings)
      done(null, [], [])
    },
    prepare: (sql) => ({
      reader: /^\s*(select|pragma)/i.test(sql),
      all(bindings) {
        note(sql, bindings)
        return []
      },
      run(bindings) {
        note(sql, bindings)
        return { changes: 0, lastInsertRowid: 0 }
      },
    }),
  }
  const Client: typeof Knex.Client = database.client.constructor
  class Recorder extends Client {
    override async acquireRawConnection() {
      return connection
    }
    override async destroyRawConnection() {}
    override async validateConnection() {
      return true
    }
  }
  return knex({
    client: Recorder,
    connection: { filename: ':memory:' },
    useNullAsDefault: true,
    pool: { min: 0, max: 1 },
  })
}
