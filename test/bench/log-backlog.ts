import { randomBytes } from 'node:crypto'
import type { Registry } from '@signed-registry/core'
import { isIncluded } from '@signed-registry/verifier/log'
import { Database } from '#core/database/database.js'
import { IntegrateEntries } from '#core/log/integrate-entries.js'
import { type Log, LogStore } from '#core/log/log-store.js'
import { storedRef } from '#core/log/log-tables.js'
import { LogTree } from '#core/log/log-tree.js'
import { TreeStore } from '#core/log/tree-store.js'
import { registryWithoutAuthorities } from '../support/core-registry.js'
import { closeDatabases, openSqlite } from '../support/databases.js'
import { mariaDbProgram, startMariaDb } from '../support/mariadb.js'
import { median } from './interleave.js'

const AT_ONCE = 20_000
const ROWS = 2000
const PROOFS = 200
const TURN = { holder: 'bench', heldUntil: 0 }

/** How fast a backlog is integrated, how many tiles a proof reads, and how much an entry takes. Argument: entries. */
export async function backlogs(entries: number): Promise<void> {
  await measure('SQLite', await openSqlite(), entries)
  await closeDatabases()
  if (mariaDbProgram === undefined) return console.log('MariaDB is not installed: its half is left out')
  const server = await startMariaDb({ durable: true })
  await measure('MariaDB', await server.createDatabase(), entries)
  await server.stop()
}

async function measure(name: string, url: string, entries: number): Promise<void> {
  const registry = await registryWithoutAuthorities(url)
  const rates: number[] = []
  let log = await registry.get(LogStore).begin()
  for (let added = 0; added < entries; added += AT_ONCE) {
    await fill(registry, added, Math.min(AT_ONCE, entries - added))
    const started = performance.now()
    log = await integrate(registry, log)
    rates.push((1000 * AT_ONCE) / (performance.now() - started))
  }
  const tiles = await proofs(registry, log)
  console.log(
    `  ${name}: ${log.size} entries; a backlog is integrated at ${median(rates).toFixed(0)}/s (aim >= 20000 on SQLite), ` +
      `${bytesOf(await storage(registry), log.size)} (aim <= 120 beside tiles); a proof reads at most ${tiles} tiles (aim <= 5)`,
  )
  await registry.close()
}

/** Adds rows as registrations do. */
async function fill(registry: Registry, from: number, count: number): Promise<void> {
  const database = registry.get(Database)
  for (let at = 0; at < count; at += ROWS) {
    const rows = Array.from({ length: Math.min(ROWS, count - at) }, (_, n) => ({
      kind: 1,
      ref: storedRef(`${from + at + n + 1}`),
      salt: randomBytes(32),
      entry: randomBytes(32),
    }))
    await database.insert('registry_log_pending', rows)
  }
}

async function integrate(registry: Registry, from: Log): Promise<Log> {
  for (let log = from; ; ) {
    const next = await registry.get(IntegrateEntries).run(log, TURN)
    if (next === undefined || next === log) return log
    log = next
  }
}

/** The most tiles that a sample of inclusion and consistency proofs read. */
async function proofs(registry: Registry, log: Log): Promise<number> {
  let read = 0
  let most = 0
  const store = registry.get(TreeStore)
  const tile = store.tile.bind(store)
  store.tile = (...asked) => {
    read += 1
    return tile(...asked)
  }
  for (let n = 0; n < PROOFS; n += 1) {
    const index = Math.floor(Math.random() * log.size)
    for (const prove of ['inclusion', 'consistency'] as const) {
      read = 0
      const proof = await new LogTree({ store })[prove](log, index)
      most = Math.max(most, read)
      if (prove === 'inclusion') {
        const [leaf = Buffer.alloc(0)] = [
          await store.tile(log.log, { level: 0, index: Math.floor(index / 256), width: (index % 256) + 1 }),
        ].map((hashes) => hashes.subarray(-32))
        if (!isIncluded({ ...log, leaf, index, proof })) throw new Error(`Entry ${index} is not proved`)
      }
    }
  }
  return most
}

/** Octets of each table of the log. */
async function storage(registry: Registry): Promise<ReadonlyMap<string, number>> {
  const database = registry.get(Database)
  const sql =
    database.dialect === 'sqlite'
      ? "select name, sum(pgsize) as bytes from dbstat where name like 'registry_log%' group by name"
      : "select replace(name, '/', '.') as name, file_size as bytes from information_schema.innodb_sys_tablespaces where name like concat(database(), '/registry_log%')"
  const rows = await database.rows(sql, [])
  return new Map(rows.map(({ name, bytes }) => [String(name).replace(/^.*\./, ''), Number(bytes)]))
}

function bytesOf(tables: ReadonlyMap<string, number>, entries: number): string {
  const of = (prefix: string) =>
    [...tables].filter(([name]) => name.startsWith(prefix)).reduce((sum, [, bytes]) => sum + bytes, 0) / entries
  return `${of('registry_log_entries').toFixed(0)} bytes an entry beside ${(of('registry_log_tiles') + of('registry_log_bundles')).toFixed(0)} of tiles`
}
