import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { load, postRequest } from '../bench/http-load.js'
import { type HostProcess, startHostProcess } from './host-process.js'
import { until } from './until.js'

const MAIN = fileURLToPath(import.meta.resolve('#host/main.js'))
const PROBE = fileURLToPath(import.meta.resolve('./memory-probe.js'))
const MIB = 2 ** 20
const AT_ONCE = 100
const CONNECTIONS = 8
const OF_A_SIGNER = 4
/** Warm-up: caches fill, V8 compiles, and the heap settles. */
const WARM_UP = 1 / 3

/** The load on a host. */
export interface Soak {
  readonly registrations: number
  /** As fast as it can unless given. */
  readonly perSecond?: number
  /** Hears of each look at the host. */
  readonly log?: (line: string) => void
}

/** Measurements of a host after the first third. */
export interface Soaked {
  /** Resident memory, MiB. */
  readonly resident: readonly number[]
  /** Open files and sockets. */
  readonly descriptors: readonly number[]
  /** What was alive after garbage was collected, MiB: at the end of the first third, and at the end. */
  readonly live: readonly [number, number]
}

/** Registers documents at a stock host over HTTP, each signer four, and looks at it a hundred times. */
export async function soak(database: string, { registrations, perSecond, log }: Soak): Promise<Soaked> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-soak-'))
  const probe = join(folder, 'probe.json')
  const unlimited = { CONNECTIONS_PER_ADDRESS: '0', RATE_LIMIT_ANONYMOUS_BYTES: '0' }
  const host = startHostProcess({ DATA_DIR: folder, DATABASE_URL: database, MEMORY_PROBE: probe, ...unlimited }, [
    '--expose-gc',
    '--import',
    PROBE,
    MAIN,
  ])
  try {
    const url = await host.url
    const next = signing(join(folder, 'dev-authorities'))
    const resident: number[] = []
    const descriptors: number[] = []
    let [done, atFirst, began] = [0, 0, performance.now()]
    const look = Math.ceil(registrations / 100 / AT_ONCE) * AT_ONCE
    while (done < registrations) {
      await load(url, Array.from({ length: AT_ONCE }, next), CONNECTIONS)
      done += AT_ONCE
      if (perSecond !== undefined) await pause(began + (done / perSecond) * 1000 - performance.now())
      if (done % look !== 0) continue
      const [memory, files] = [residentMemory(host), openFiles(host)]
      log?.(
        `${done} registrations, ${Math.round((performance.now() - began) / 1000)} s: ${memory} MiB, ${files} descriptors`,
      )
      if (done < registrations * WARM_UP) continue
      if (atFirst === 0) atFirst = await liveMemory(host, probe, 1)
      else {
        resident.push(memory)
        descriptors.push(files)
      }
    }
    const live = [atFirst, await liveMemory(host, probe, 2)] as const
    log?.(`alive after garbage was collected: ${live.map((mib) => mib.toFixed(1)).join(' and ')} MiB`)
    return { resident, descriptors, live }
  } finally {
    await host.end('SIGTERM')
    rmSync(folder, { recursive: true, force: true })
  }
}

/** By how much of their mean values rise from the first to the last, along the line that lies nearest to all of them. */
export function rise(values: readonly number[]): number {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const middle = (values.length - 1) / 2
  const slope = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0)
  return ((slope / values.reduce((sum, _, at) => sum + (at - middle) ** 2, 0)) * (values.length - 1)) / mean
}

function signing(folder: string): () => Buffer {
  const authorities = DevAuthorities.create({ folder })
  let signer = authorities.employee()
  let made = 0
  return () => {
    if (made % OF_A_SIGNER === 0) signer = authorities.employee()
    made += 1
    const title = `Contract ${made}`
    const certificates = [signer.certificate, signer.issuer]
    const cms = signer.signCms(Buffer.from(title), { timeStamp: true, ocsp: true, certificates })
    return postRequest('/api', { title, signature: cms.toString('base64') })
  }
}

function residentMemory({ child }: HostProcess): number {
  const [, kib = '0'] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8')) ?? []
  return Math.round(Number(kib) / 1024)
}

const openFiles = ({ child }: HostProcess): number => readdirSync(`/proc/${child.pid}/fd`).length

async function liveMemory({ child }: HostProcess, probe: string, asking: number): Promise<number> {
  child.kill('SIGWINCH')
  let answer: { asked?: number; live?: number } = {}
  await until(async () => {
    if (existsSync(probe)) answer = JSON.parse(readFileSync(probe, 'utf8'))
    return answer.asked === asking
  })
  return (answer.live ?? 0) / MIB
}
