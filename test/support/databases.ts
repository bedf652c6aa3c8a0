import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Knex } from 'knex'
import { coreMigrations } from '#core/core-areas.js'
import { migrate } from '#core/database/migrate.js'
import { openDatabase } from '#core/database/open.js'
import { createDatabase, type MariaDb, mariaDbProgram, startMariaDb } from './mariadb.js'

/** Creates a private database and gives its URL in the format of `DATABASE_URL`. No clean-up is needed. */
export type OpenDatabase = () => Promise<string>

/**
 * Declares the same suite for SQLite (a temporary file each) and for MariaDB (a database each, on one private server), with
 * the current schema, which is copied, as running the migrations takes much longer. `TEST_DATABASES=sqlite` skips MariaDB,
 * for quick runs during development.
 */
export const forEachDatabase = (suite: (open: OpenDatabase) => void): void => forBoth(suite, openSqlite, openMariaDb)

/** Declares a suite for SQLite alone: for what keeps nothing, and whose reads are tested on both. */
export const forSqlite = (suite: (open: OpenDatabase) => void): void =>
  void describe('on SQLite', () => suite(openSqlite))

/** Declares a suite for MariaDB alone: for several hosts on one database, which SQLite does not allow. */
export const forServer = (suite: (open: OpenDatabase) => void): void => onMariaDb(suite, openMariaDb)

/** As `forEachDatabase`, without the schema: for what is about migrations. */
export const forEachEmptyDatabase = (suite: (open: OpenDatabase) => void): void =>
  forBoth(suite, emptySqlite, emptyMariaDb)

function forBoth(suite: (open: OpenDatabase) => void, sqlite: OpenDatabase, mariaDb: OpenDatabase): void {
  describe('on SQLite', () => suite(sqlite))
  onMariaDb(suite, mariaDb)
}

function onMariaDb(suite: (open: OpenDatabase) => void, mariaDb: OpenDatabase): void {
  if (process.env.TEST_DATABASES === 'sqlite') return void describe.skip('on MariaDB (left out)', () => suite(mariaDb))
  if (mariaDbProgram !== undefined) return void describe('on MariaDB', () => suite(mariaDb))
  if (process.env.REQUIRE_MYSQL === '1') {
    describe('on MariaDB', () => {
      it('has a server to run on', () => {
        throw new Error('REQUIRE_MYSQL=1, but mariadbd is not installed')
      })
    })
    return
  }
  describe.skip('on MariaDB (skipped: mariadbd is not installed)', () => suite(mariaDb))
}

/** The server that the run started for all its processes, as recorded by `shareMariaDb`. */
const SHARED = 'TEST_MARIADB'

let folder: string | undefined
let server: Promise<MariaDb> | undefined
let sqliteWithSchema: Promise<Buffer> | undefined
let mariaDbSchema: Promise<string> | undefined

/** A SQLite database with the schema of this version in a temporary file. */
export const openSqlite: OpenDatabase = async () => {
  const url = await emptySqlite()
  sqliteWithSchema ??= migratedSqlite()
  writeFileSync(url.slice('sqlite:'.length), await sqliteWithSchema, { mode: 0o600 })
  return url
}

const emptySqlite: OpenDatabase = async () => {
  folder ??= mkdtempSync(join(tmpdir(), 'registry-sqlite-'))
  return `sqlite:${join(folder, `${randomBytes(6).toString('hex')}.sqlite`)}`
}

async function migratedSqlite(): Promise<Buffer> {
  const url = await emptySqlite()
  await migrated(url, async () => undefined)
  return readFileSync(url.slice('sqlite:'.length))
}

/**
 * A database with the schema of this version on the run's MariaDB; without a run, on one that this process starts when it is
 * first asked for.
 */
export const openMariaDb: OpenDatabase = async () => {
  const { socket, port, schema } = await shared()
  return createDatabase({ socket, port }, schema)
}

const emptyMariaDb: OpenDatabase = async () => createDatabase(await shared())

interface SharedMariaDb extends Pick<MariaDb, 'socket' | 'port'> {
  /** Statements that make the schema of this version. */
  readonly schema: string
}

async function shared(): Promise<SharedMariaDb> {
  const given = process.env[SHARED]
  if (given !== undefined) return JSON.parse(given)
  server ??= startMariaDb()
  const { socket, port, createDatabase } = await server
  mariaDbSchema ??= createDatabase().then((url) => migrated(url, mariaDbStatements))
  return { socket, port, schema: await mariaDbSchema }
}

/** Starts the one MariaDB of a run: every process that is started from now on uses it. */
export async function shareMariaDb(options: { durable: boolean }): Promise<void> {
  server = startMariaDb(options)
  process.env[SHARED] = JSON.stringify(await shared())
}

/** Brings a database up to date, and answers what `look` finds in it. */
async function migrated<T>(url: string, look: (knex: Knex) => Promise<T>): Promise<T> {
  const knex = openDatabase(url)
  try {
    await migrate(knex, coreMigrations)
    return await look(knex)
  } finally {
    await knex.destroy()
  }
}

/** What makes the same tables again, which hold nothing but the names of the migrations. */
async function mariaDbStatements(knex: Knex): Promise<string> {
  const [tables = []]: object[][] = await knex.raw('show tables')
  const statements = ['set foreign_key_checks = 0']
  for (const name of tables.flatMap((row) => Object.values(row).map(String))) {
    const [[row] = []]: object[][] = await knex.raw('show create table ??', [name])
    statements.push(String(Object.values(row ?? {})[1]))
  }
  const applied = await knex('registry_migrations').select()
  return [...statements, knex('registry_migrations').insert(applied).toQuery()].join(';')
}

/** Stops what this process started and removes its files. */
export async function closeDatabases(): Promise<void> {
  const [stopped, emptied] = [server, folder]
  server = undefined
  mariaDbSchema = undefined
  folder = undefined
  await (await stopped)?.stop()
  if (emptied !== undefined) rmSync(emptied, { recursive: true, force: true })
}
