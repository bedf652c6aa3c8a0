import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MariaDb, mariaDbProgram, startMariaDb } from './mariadb.js'

/** Makes an empty database and gives its URL, as `DATABASE_URL` takes it. Nothing has to be cleaned up. */
export type OpenDatabase = () => Promise<string>

/** Declares the same suite for SQLite (a temporary file each) and for MariaDB (a database each, on one private server). */
export function forEachDatabase(suite: (open: OpenDatabase) => void): void {
  describe('on SQLite', () => suite(openSqlite))
  if (mariaDbProgram !== undefined) return void describe('on MariaDB', () => suite(openMariaDb))
  if (process.env.REQUIRE_MYSQL === '1') {
    describe('on MariaDB', () => {
      it('has a server to run on', () => {
        throw new Error('REQUIRE_MYSQL=1, but mariadbd is not installed')
      })
    })
    return
  }
  describe.skip('on MariaDB (skipped: mariadbd is not installed)', () => suite(openMariaDb))
}

let folder: string | undefined
let server: Promise<MariaDb> | undefined

/** An empty SQLite database in a temporary file. */
export const openSqlite: OpenDatabase = async () => {
  folder ??= mkdtempSync(join(tmpdir(), 'registry-sqlite-'))
  return `sqlite:${join(folder, `${randomBytes(6).toString('hex')}.sqlite`)}`
}

/** An empty database on the run's MariaDB, which starts when it is first asked for. */
export const openMariaDb: OpenDatabase = async () => {
  server ??= startMariaDb()
  return (await server).createDatabase()
}

/** Stops what the run started and removes its files. */
export async function closeDatabases(): Promise<void> {
  const [stopped, emptied] = [server, folder]
  server = undefined
  folder = undefined
  await (await stopped)?.stop()
  if (emptied !== undefined) rmSync(emptied, { recursive: true, force: true })
}
