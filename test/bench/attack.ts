import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { defaultShares } from '@signed-registry/core'

import { DevAuthorities } from '@signed-registry/dev-authorities'
import { type HostProcess, startHostProcess } from '../support/host-process.js'
import { postJson } from '../support/http.js'
import { requestNonce, tokenIn } from '../support/login-over-http.js'
import { attackers } from './attackers.js'
import { median } from './interleave.js'
import { printRow } from './row.js'

const ATTACKER = fileURLToPath(new URL('attacker.js', import.meta.url))
/** Of well-behaved callers: each asks less often than the rate limit of an address allows. */
const ADDRESSES = 60
const PAUSE_MS = 20
const SECONDS = 4
const BEGINNING_MS = 1000
/** What the kernel lets the host have. */
const MEMORY = 2 ** 30
/** What a database and its log take beside what they keep, and what honest callers leave. */
const BESIDE = 64 * 2 ** 20

/**
 * What hostile addresses cost others: latency of well-behaved callers beside each kind of attacker, against the same
 * without one just before, whether the host lives with a gigabyte of memory, and what grows on its disk against the shares
 * of the attacker's addresses. Takes the minutes of all attacks together, four seconds each unless told otherwise, and a
 * word of those that are wanted: `attack=5:JSON`.
 */
export async function run(minutes?: string): Promise<void> {
  const [time, only = ''] = (minutes ?? '').split(':')
  const kinds = Object.keys(attackers).filter((kind) => kind.includes(only))
  const seconds = !time ? SECONDS : (Number(time) * 60) / kinds.length / 2
  const folder = mkdtempSync(join(tmpdir(), 'registry-attack-'))
  const env = { NODE_OPTIONS: '--max-old-space-size=512', RATE_LIMIT_ANONYMOUS: '60', MTLS_PORT: 'off' }
  const host = startHostProcess({ DATA_DIR: folder, ...env }, undefined, { memory: MEMORY })
  const url = await host.url
  const authorities = DevAuthorities.create({ folder: join(folder, 'dev-authorities') })
  const signed = (content: Buffer) =>
    authorities.person().signCms(content, { timeStamp: true, ocsp: true }).toString('base64')
  const sign = (text: string) => signed(Buffer.from(text))
  const callers = await Callers.at(url, sign)
  const nonce = await requestNonce(url)
  const cookie = `jwt=${tokenIn(await postJson(`${url}/api/auth`, { nonce, signature: signed(Buffer.from(nonce, 'base64')) }))}`
  await callers.measure(seconds)
  for (const kind of kinds) {
    const before = await callers.measure(seconds)
    const size = sizeOf(folder)
    const attacker = spawn(process.execPath, [ATTACKER, kind, new URL(url).port, '127.0.1.1'], { stdio: 'inherit' })
    await wait(BEGINNING_MS)
    const beside = await callers.measure(seconds).catch(() => [])
    // Once: one person may have no more than a few.
    const begun = kind.includes('procedures') ? await beginProcedures(url, cookie) : undefined
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
    if (begun !== undefined)
      printRow({ what: 'known callers who may begin a procedure', floor: 'all', ratios: [begun], aim: '>= 1' })
    printGrowth(sizeOf(folder) - size, attackers[kind]?.addresses ?? 1)
    if (!isAlive(host)) throw new Error(`${kind}: the host has ended: ${(await host.errors).slice(-2000)}`)
  }
  await host.end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}

/** The part of some that a person who is logged in may begin. */
async function beginProcedures(url: string, cookie: string): Promise<number> {
  const headers = { cookie, 'content-type': 'application/json' }
  const answers = await Promise.all(
    [1, 2, 3, 4].map((at) =>
      fetch(`${url}/api/govQr`, { method: 'POST', headers, body: JSON.stringify({ description: `${at}` }) }).then(
        ({ status }) => status,
        () => 0,
      ),
    ),
  )
  return answers.filter((status) => status === 200).length / answers.length
}

const isAlive = ({ child }: HostProcess): boolean => child.exitCode === null && child.signalCode === null

/** Bytes of all files in a folder; some may go away meanwhile. */
function sizeOf(folder: string): number {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' }).reduce(
    (sum, name) => sum + (statSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0),
    0,
  )
}

function printGrowth(bytes: number, addresses: number): void {
  const { temporaryStorage, procedureBytes } = defaultShares
  const ofOne = temporaryStorage.stranger + procedureBytes.stranger
  const most = Math.min(addresses * ofOne, temporaryStorage.strangers + procedureBytes.strangers) + BESIDE
  printRow({
    what: 'growth of disk and database',
    floor: 'what its addresses may keep',
    ratios: [bytes / most],
    aim: '<= 1',
    figures: `${(bytes / 2 ** 20).toFixed(0)} MiB from ${addresses}; each may keep ${ofOne / 2 ** 20}`,
  })
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
