import type { Knex } from 'knex'
import { CAUSAL, causalReader, IS_NODE } from './causal-reader.js'
import { knexDialect } from './knex-dialect.js'
import { type Mysql2Connection, MysqlConnection, SQL_MODE } from './mysql-connection.js'
import type { OwnClient, Row } from './rows.js'
import { type Reader, SharedReads } from './shared-reads.js'

const READS_ONLY = `SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED, READ ONLY; ${SQL_MODE}`
const MAX_WAIT_MS = 5000

/** Knex's dialect for MySQL, with connections and reads of our own. */
export class MysqlDialect extends knexDialect('mysql2') implements OwnClient {
  private reads: SharedReads | undefined

  override async acquireRawConnection(): Promise<MysqlConnection> {
    const driven: Mysql2Connection = await super.acquireRawConnection()
    try {
      return await MysqlConnection.begin(driven)
    } catch (error) {
      await super.destroyRawConnection(driven)
      throw error
    }
  }

  override validateConnection({ driven }: MysqlConnection): Promise<boolean> {
    return super.validateConnection(driven)
  }

  override destroyRawConnection({ driven }: MysqlConnection): Promise<void> {
    return super.destroyRawConnection(driven)
  }

  override destroy(callback: (() => void) | undefined): Promise<void> {
    this.reads?.close()
    return super.destroy(callback)
  }

  /** Together with those of others that come in the same turn, where that can be. */
  async selectRows(sql: string, bindings: readonly Knex.Value[]): Promise<Row[]> {
    if (this.pool !== undefined) {
      this.reads ??= new SharedReads(() => this.openReader())
      const rows = await this.reads.ask(sql, bindings)
      if (rows !== undefined) return rows
    }
    const connection: MysqlConnection = await this.acquireConnection()
    try {
      return await connection.rows(sql, bindings)
    } finally {
      await this.releaseConnection(connection)
    }
  }

  /** A connection that takes several statements at a time, and changes nothing. */
  private async openReader(): Promise<Reader> {
    const reader: Reader = this.driver.createConnection({ ...this.connectionSettings, multipleStatements: true })
    const answers = await ask(reader, `${READS_ONLY}; ${IS_NODE}`)
    const isNode: unknown = Array.isArray(answers) ? answers.at(-1) : undefined
    if (!Array.isArray(isNode) || isNode.length === 0) return reader
    await ask(reader, CAUSAL)
    return causalReader(reader)
  }
}

/** Asks over a connection that is given up when it fails. */
function ask(reader: Reader, sql: string): Promise<unknown> {
  return new Promise((resolve, reject) => {
    reader.on('error', reject)
    reader.query({ sql, timeout: MAX_WAIT_MS }, (error, answer) => {
      if (error === null) return resolve(answer)
      reader.destroy()
      reject(error)
    })
  })
}
