import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { openDatabase } from '#core/database/open.js'
import { closeDatabases, openSqlite } from '../support/databases.js'
import { startHostProcess } from '../support/host-process.js'
import { mariaDbProgram, startMariaDb } from '../support/mariadb.js'
import { load } from './http-load.js'
import { signedRequests } from './registrations.js'

const DOCUMENTS = Number(process.env.ROOM ?? 20_000)
const AT_ONCE = 2000
const CONNECTIONS = 16
const SHOWN = 6

/** Octets that a database grows by for each document with one signature of 6.7 KB, its indexes included; of the largest tables, too. */
export async function run(): Promise<void> {
  await measure('SQLite', await openSqlite(), sqliteTables)
  await closeDatabases()
  if (mariaDbProgram === undefined) return console.log('MariaDB is not installed: its half is left out')
  const server = await startMariaDb({})
  await measure('MariaDB', await server.createDatabase(), mariaDbTables)
  await server.stop()
}

type Tables = (database: Knex) => Promise<ReadonlyMap<string, number>>

async function measure(name: string, databaseUrl: string, tables: Tables): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-room-'))
  const host = startHostProcess({ DATA_DIR: folder, DATABASE_URL: databaseUrl })
  const url = await host.url
  const register = async (count: number) => {
    for (let done = 0; done < count; done += AT_ONCE)
      await load(url, signedRequests('/api', join(folder, 'dev-authorities'), AT_ONCE, 4), CONNECTIONS)
  }
  await register(AT_ONCE)
  const database = openDatabase(databaseUrl)
  const before = await tables(database)
  await register(DOCUMENTS)
  const grown = [...(await tables(database))].map(
    ([table, octets]) => [table, (octets - (before.get(table) ?? 0)) / DOCUMENTS] as const,
  )
  const all = grown.reduce((sum, [, octets]) => sum + octets, 0)
  console.log(`  ${name}: a document with one signature takes ${all.toFixed(0)} octets (${DOCUMENTS} documents)`)
  const largest = grown.toSorted(([, a], [, b]) => b - a).slice(0, SHOWN)
  console.log(`    ${largest.map(([table, octets]) => `${table} ${octets.toFixed(0)}`).join(', ')}`)
  await database.destroy()
  await host.end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}

const sqliteTables: Tables = async (database) => {
  const rows: Octets[] = await database.raw(
    `select coalesce(m.tbl_name, s.name) as name, sum(s.pgsize) as octets
      from dbstat('main', 1) s left join sqlite_master m on m.name = s.name group by 1`,
  )
  return byName(rows)
}

const mariaDbTables: Tables = async (database) => {
  const ask = async (sql: string): Promise<Octets[]> => {
    const [rows]: Octets[][] = await database.raw(sql)
    return rows ?? []
  }
  const sizes = `select table_name as name, data_length + index_length as octets
    from information_schema.tables where table_schema = database()`
  const names = (await ask(sizes)).map(({ name }) => name)
  await ask(`analyze table ${names.join(', ')}`)
  return byName(await ask(sizes))
}

interface Octets {
  readonly name: string
  readonly octets: number | string
}

const byName = (rows: readonly Octets[]) => new Map(rows.map(({ name, octets }) => [name, Number(octets)]))
