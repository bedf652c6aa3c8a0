import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { DevAuthorities } from '@signed-registry/dev-authorities'
import { startHostProcess } from '../support/host-process.js'
import { postJson } from '../support/http.js'
import { attackers } from './attackers.js'
import { median } from './interleave.js'
import { printRow } from './row.js'

const ATTACKER = fileURLToPath(new URL('attacker.js', import.meta.url))
/** Of well-behaved callers: each asks less often than the rate limit of an address allows. */
const ADDRESSES = 60
const PAUSE_MS = 20
const SECONDS = 4
const BEGINNING_MS = 1000

/**
 * What hostile addresses cost others: latency of well-behaved callers beside each kind of attacker, against the same
 * without one just before. Takes the minutes of all attacks together; a minute and a half unless told otherwise.
 */
export async function run(minutes?: string): Promise<void> {
  const kinds = Object.keys(attackers)
  const seconds = minutes === undefined ? SECONDS : (Number(minutes) * 60) / kinds.length / 2
  const folder = mkdtempSync(join(tmpdir(), 'registry-attack-'))
  const host = startHostProcess({ DATA_DIR: folder, RATE_LIMIT_ANONYMOUS: '60', MTLS_PORT: 'off' })
  const url = await host.url
  const authorities = DevAuthorities.create({ folder: join(folder, 'dev-authorities') })
  const sign = (text: string) =>
    authorities.person().signCms(Buffer.from(text), { timeStamp: true, ocsp: true }).toString('base64')
  const callers = await Callers.at(url, sign)
  await callers.measure(seconds)
  for (const kind of kinds) {
    const before = await callers.measure(seconds)
    const attacker = spawn(process.execPath, [ATTACKER, kind, new URL(url).port, '127.0.1.1'], { stdio: 'inherit' })
    await wait(BEGINNING_MS)
    const beside = await callers.measure(seconds)
    attacker.kill('SIGKILL')
    await wait(BEGINNING_MS)
    const ratio = (at: number) => percentile(beside, at) / percentile(before, at)
    const figures = (latencies: readonly number[]) =>
      `${median(latencies).toFixed(1)} and ${percentile(latencies, 0.99).toFixed(1)} ms`
    printRow({
      what: kind,
      floor: 'the same callers alone, median',
      ratios: [ratio(0.5)],
      aim: '<= 2',
      figures: `99th percentile ${ratio(0.99).toFixed(1)}; ${figures(beside)} against ${figures(before)}`,
    })
  }
  await host.end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}

const percentile = (values: readonly number[], at: number): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length * at)] ?? Number.NaN

/** People from many addresses who register documents and read them, and never ask too often. */
class Callers {
  private readonly agents = Array.from({ length: ADDRESSES }, (_, at) => ({
    agent: new Agent({ keepAlive: true, maxSockets: 1 }),
    localAddress: `127.0.2.${at + 1}`,
  }))
  private count = 0

  private constructor(
    private readonly url: string,
    private readonly sign: (text: string) => string,
    private readonly documentId: string,
  ) {}

  static async at(url: string, sign: (text: string) => string): Promise<Callers> {
    const { json } = await postJson<{ documentId: string }>(`${url}/api`, { signature: sign('first') })
    return new Callers(url, sign, json.documentId)
  }

  /** Milliseconds of each request: one registration among nine reads. */
  async measure(seconds: number): Promise<number[]> {
    const signatures = Array.from({ length: Math.ceil((seconds * 1000) / PAUSE_MS / 10) }, (_, at) =>
      this.sign(`${this.count}.${at}`),
    )
    const latencies: number[] = []
    const end = performance.now() + seconds * 1000
    while (performance.now() < end) {
      this.count += 1
      const signature = this.count % 10 === 0 ? signatures.pop() : undefined
      const began = performance.now()
      await this.ask(signature === undefined ? undefined : JSON.stringify({ signature }))
      latencies.push(performance.now() - began)
      await wait(PAUSE_MS)
    }
    return latencies
  }

  private ask(body: string | undefined): Promise<void> {
    const caller = this.agents[this.count % ADDRESSES]
    const path = body === undefined ? `/api/${this.documentId}` : '/api'
    const headers = body === undefined ? {} : { 'content-type': 'application/json' }
    return new Promise((resolve, reject) => {
      const asked = request(`${this.url}${path}`, { method: body === undefined ? 'GET' : 'POST', headers, ...caller })
      asked.on('error', reject).on('response', (answer) => {
        answer.resume().on('end', () => {
          if (answer.statusCode === 200) resolve()
          else reject(new Error(`${path} answered ${answer.statusCode}`))
        })
      })
      asked.end(body)
    })
  }
}
