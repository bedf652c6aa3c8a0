import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleHost } from '../support/bundle.js'
import { startHostProcess } from '../support/host-process.js'
import { processorSeconds } from '../support/process-figures.js'
import { median } from './interleave.js'
import { printRow } from './row.js'

const ROUNDS = 8
const AIM_MS = 500
const GREETING = fileURLToPath(new URL('greeting-host.js', import.meta.url))

/** How long a stock host takes to listen on a database that is there, against Fastify with one route and no database. */
export async function run(): Promise<void> {
  const bundle = [await bundleHost()]
  const folder = mkdtempSync(join(tmpdir(), 'registry-start-'))
  const environment = { DATA_DIR: folder, DATABASE_URL: `sqlite:${join(folder, 'registry.sqlite')}` }
  await started(environment, bundle)
  const rounds: { ours: number; floor: number; processor: number }[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const floor = await started({}, [GREETING])
    const ours = await started(environment, bundle)
    rounds.push({ floor: floor.ms, ours: ours.ms, processor: ours.processor })
  }
  const ms = (name: 'ours' | 'floor' | 'processor') => `${median(rounds.map((round) => round[name])).toFixed(0)} ms`
  printRow({
    what: 'a start on an existing database',
    floor: 'bare Fastify',
    ratios: rounds.map(({ ours, floor }) => ours / floor),
  })
  printRow({
    what: 'the same',
    floor: `${AIM_MS} ms`,
    ratios: rounds.map(({ ours }) => ours / AIM_MS),
    aim: '<= 1',
    figures: `${ms('ours')}, of processor time ${ms('processor')}; bare ${ms('floor')}`,
  })
  rmSync(folder, { recursive: true, force: true })
}

async function started(environment: NodeJS.ProcessEnv, program: readonly string[]) {
  const begun = performance.now()
  const host = startHostProcess(environment, program)
  await host.url
  const ms = performance.now() - begun
  const processor = processorSeconds(host) * 1000
  await host.end('SIGTERM')
  return { ms, processor }
}
