import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import type { Registry } from '@signed-registry/core'
import { LogWorker } from '#core/log/log-worker.js'
import { closeDatabases, openSqlite } from '../support/databases.js'
import { LOG_KEY } from '../support/log-key.js'
import { mariaDbProgram, startMariaDb } from '../support/mariadb.js'
import { presentAuthorities } from '../support/pki/authorities.js'
import { processorSeconds } from '../support/process-figures.js'
import { median } from './interleave.js'
import { openRegistry, register, signatures } from './log-registry.js'

/** A second of a busy registry: the log has one round in it. */
const CALLS = 500
/** Even: each of the two goes first as often as the other. */
const ROUNDS = 40
const WARM_UP = 4
const AT_ONCE = 32
const AIM_US = 100

type Spent = () => number

// The garbage of one batch is not to be collected in the time of the other.
setFlagsFromString('--expose-gc')
const collectGarbage: () => void = runInNewContext('gc')

/** Processor time that the log costs a registration, of host and database together: with and without it, in turns. */
export async function costs(): Promise<void> {
  await measure('SQLite', openSqlite, () => 0)
  await closeDatabases()
  if (mariaDbProgram === undefined) return console.log('MariaDB is not installed: its half is left out')
  const server = await startMariaDb({ durable: true })
  await measure('MariaDB', server.createDatabase, () => 1e6 * processorSeconds(server))
  await server.stop()
}

async function measure(name: string, open: () => Promise<string>, ofDatabase: Spent): Promise<void> {
  const authorities = presentAuthorities()
  const without = await openRegistry(await open(), authorities, 'off')
  const logged = await openRegistry(await open(), authorities, { key: LOG_KEY })
  const spent = () => {
    const { user, system } = process.cpuUsage()
    return user + system + ofDatabase()
  }
  const costOf = async (registry: Registry, all: readonly string[]) => {
    collectGarbage()
    const before = spent()
    await registerAll(registry, all)
    if (registry === logged) await registry.get(LogWorker).run()
    return (spent() - before) / CALLS
  }
  const differences: number[] = []
  const plain: number[] = []
  for (let round = 0; round < ROUNDS + WARM_UP; round += 1) {
    const all = signatures(authorities, CALLS)
    const [first, second] = round % 2 === 0 ? [without, logged] : [logged, without]
    const cost = new Map([[first, await costOf(first, all)]])
    cost.set(second, await costOf(second, all))
    if (round < WARM_UP) continue
    plain.push(cost.get(without) ?? 0)
    differences.push((cost.get(logged) ?? 0) - (cost.get(without) ?? 0))
  }
  const middle = median(differences)
  const sorted = [...differences].sort((a, b) => a - b)
  const spread = `half of ${ROUNDS} rounds ${sorted[ROUNDS / 4]?.toFixed(0)} to ${sorted[(3 * ROUNDS) / 4]?.toFixed(0)}`
  console.log(
    `  ${name}: the log costs a registration ${middle.toFixed(0)} us of processor time (${spread}) beside ${median(plain).toFixed(0)} us; aim <= ${AIM_US}: ${middle <= AIM_US ? 'met' : 'MISSED'}`,
  )
  await Promise.all([without.close(), logged.close()])
}

async function registerAll(registry: Registry, all: readonly string[]): Promise<void> {
  const waiting = [...all]
  const one = async () => {
    for (let signature = waiting.pop(); signature !== undefined; signature = waiting.pop())
      await register(registry, signature)
  }
  await Promise.all(Array.from({ length: AT_ONCE }, one))
}
