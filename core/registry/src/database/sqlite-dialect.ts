import type { Knex } from 'knex'
import { knexDialect } from './knex-dialect.js'
import type { OwnClient, Row } from './rows.js'
import { SqliteConnection } from './sqlite-connection.js'

class OurSqlite extends knexDialect('better-sqlite3') implements OwnClient {
  private reader: SqliteConnection | undefined

  /** Knex would load `better-sqlite3`. */
  override initializeDriver(): void {}

  override async acquireRawConnection(): Promise<SqliteConnection> {
    return SqliteConnection.toWrite(this.filename)
  }

  override async destroyRawConnection(connection: SqliteConnection): Promise<void> {
    this.reader?.close()
    this.reader = undefined
    connection.close()
  }

  /** As of the last commit, at once: over a connection that only reads, nobody waits for the end of a transaction. */
  async selectRows(sql: string, bindings: readonly Knex.Value[]): Promise<Row[]> {
    if (this.filename !== ':memory:' && this.pool !== undefined) {
      this.reader ??= SqliteConnection.toRead(this.filename)
      return this.reader.select(sql, bindings)
    }
    const connection: SqliteConnection = await this.acquireConnection()
    try {
      return connection.select(sql, bindings)
    } finally {
      await this.releaseConnection(connection)
    }
  }

  private get filename(): string {
    const { filename }: { filename?: unknown } = this.connectionSettings
    return String(filename)
  }
}

/**
 * A Knex dialect over the `node:sqlite` API: WAL, full synchronisation, and write locks taken when a transaction begins.
 * Give it one connection: `knex({ client: SqliteDialect, connection: { filename }, pool: { min: 1, max: 1 } })`.
 */
export const SqliteDialect: typeof Knex.Client = OurSqlite
