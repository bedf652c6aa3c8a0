import { setTimeout as sleep } from 'node:timers/promises'
import type { Registry } from '@signed-registry/core'
import { Database } from '#core/database/database.js'
import { closeDatabases, openSqlite } from '../support/databases.js'
import { LOG_KEY } from '../support/log-key.js'
import { mariaDbProgram, startMariaDb } from '../support/mariadb.js'
import { presentAuthorities } from '../support/pki/authorities.js'
import { median } from './interleave.js'
import { openRegistry, register, signatures } from './log-registry.js'

const A_SECOND = 500
const SECONDS = 20
/** Registrations that start together. */
const BATCH = 25
const LOOK_MS = 20
const MOST_WAIT_MS = 60_000
const AIM_MS = 5000

/** How long after its answer a registration is covered by a published checkpoint, at a steady rate. */
export async function delays(): Promise<void> {
  await measure('SQLite', await openSqlite())
  await closeDatabases()
  if (mariaDbProgram === undefined) return console.log('MariaDB is not installed: its half is left out')
  const server = await startMariaDb({ durable: true })
  await measure('MariaDB', await server.createDatabase())
  await server.stop()
}

async function measure(name: string, database: string): Promise<void> {
  const authorities = presentAuthorities()
  const all = signatures(authorities, A_SECOND * SECONDS)
  const registry = await openRegistry(database, authorities, { key: LOG_KEY })
  registry.start()
  const answered = new Map<string, number>()
  const published: { readonly size: number; readonly at: number }[] = []
  const isDone = new AbortController()
  const watching = watch(registry, published, isDone.signal)

  const started = performance.now()
  const running: Promise<void>[] = []
  for (let at = 0; at < all.length; at += BATCH) {
    await sleep(Math.max(0, started + (1000 * at) / A_SECOND - performance.now()))
    const one = async (signature: string) => {
      answered.set(`${await register(registry, signature)}`, performance.now())
    }
    running.push(...all.slice(at, at + BATCH).map(one))
  }
  await Promise.all(running)
  const rate = (1000 * all.length) / (performance.now() - started)
  const waits = await waitsOf(registry, answered, published)
  isDone.abort()
  await watching
  const longest = Math.max(...waits)
  console.log(
    `  ${name}: at ${rate.toFixed(0)} registrations a second (asked for ${A_SECOND}) a checkpoint covers each after ` +
      `${median(waits).toFixed(0)} ms, the last after ${longest.toFixed(0)} ms; aim <= ${AIM_MS}: ${longest <= AIM_MS ? 'met' : 'MISSED'}`,
  )
  await registry.close()
}

/** Writes down when each checkpoint is seen first. */
async function watch(registry: Registry, published: { size: number; at: number }[], done: AbortSignal): Promise<void> {
  while (!done.aborted) {
    const [row] = await registry.get(Database).rows('select max(size) as size from registry_log_checkpoints', [])
    const size = Number(row?.size ?? 0)
    if (size > (published.at(-1)?.size ?? 0)) published.push({ size, at: performance.now() })
    await sleep(LOOK_MS)
  }
}

/** Milliseconds from the answer to the checkpoint, of each registration. */
async function waitsOf(
  registry: Registry,
  answered: ReadonlyMap<string, number>,
  published: readonly { readonly size: number; readonly at: number }[],
): Promise<number[]> {
  const database = registry.get(Database)
  for (const started = performance.now(); performance.now() - started < MOST_WAIT_MS; await sleep(LOOK_MS)) {
    const [row] = await database.rows('select max(idx) as last from registry_log_entries', [])
    const isCovered = (published.at(-1)?.size ?? 0) > Number(row?.last ?? 0)
    const [waiting] = await database.rows('select id from registry_log_pending limit 1', [])
    if (isCovered && waiting === undefined) break
  }
  const rows = await database.query('registry_log_entries').where({ kind: 1 }).select('idx', 'ref')
  return rows.map(({ idx, ref }) => {
    const at = answered.get(String(ref).replace(/^[ -/]/, ''))
    const covering = published.find(({ size }) => size > Number(idx))
    if (at === undefined || covering === undefined) throw new Error(`${ref} is in no checkpoint`)
    return Math.max(0, covering.at - at)
  })
}
