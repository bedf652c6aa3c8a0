import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleHost } from '../support/bundle.js'
import { documentRegistrar } from '../support/document-registrar.js'
import { startHostProcess } from '../support/host-process.js'
import { processorSeconds } from '../support/process-figures.js'
import { median } from './interleave.js'
import { printRow } from './row.js'

const ROUNDS = 8
const AIM_MS = 500
const GREETING = fileURLToPath(new URL('greeting-host.js', import.meta.url))

/**
 * How long a stock host takes from its start to its first answer of the API, on a database that is there, against Fastify
 * with one route and no database.
 */
export async function run(): Promise<void> {
  const bundle = [await bundleHost()]
  const folder = mkdtempSync(join(tmpdir(), 'registry-start-'))
  const environment = { DATA_DIR: folder, DATABASE_URL: `sqlite:${join(folder, 'registry.sqlite')}` }
  const document = `/api/${await registered(environment, bundle)}`
  const rounds: Record<'ours' | 'floor' | 'listening' | 'processor', number>[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    const floor = await started({}, [GREETING], '/')
    const ours = await started(environment, bundle, document)
    const { ms, listening, processor } = ours
    rounds.push({ floor: floor.ms, ours: ms, listening, processor })
  }
  const ms = (name: keyof (typeof rounds)[number]) => `${median(rounds.map((round) => round[name])).toFixed(0)} ms`
  printRow({
    what: 'from a start on an existing database to the first answer',
    floor: 'bare Fastify',
    ratios: rounds.map(({ ours, floor }) => ours / floor),
  })
  printRow({
    what: 'the same',
    floor: `${AIM_MS} ms`,
    ratios: rounds.map(({ ours }) => ours / AIM_MS),
    aim: '<= 1',
    figures: `${ms('ours')}, of processor time ${ms('processor')}; it listens after ${ms('listening')}; bare ${ms('floor')}`,
  })
  rmSync(folder, { recursive: true, force: true })
}

/** Starts a host for the first time; gives the ID of a document that it has. */
async function registered(environment: NodeJS.ProcessEnv & { DATA_DIR: string }, program: readonly string[]) {
  const host = startHostProcess(environment, program)
  const register = documentRegistrar(await host.url, join(environment.DATA_DIR, 'dev-authorities'))
  const id = await register(Buffer.alloc(32))
  await host.end('SIGTERM')
  return id
}

async function started(environment: NodeJS.ProcessEnv, program: readonly string[], path: string) {
  const begun = performance.now()
  const host = startHostProcess(environment, program)
  const url = await host.url
  const listening = performance.now() - begun
  const { ok } = await fetch(`${url}${path}`)
  if (!ok) throw new Error(`${path} was not answered`)
  const ms = performance.now() - begun
  const processor = processorSeconds(host) * 1000
  await host.end('SIGTERM')
  return { ms, listening, processor }
}
