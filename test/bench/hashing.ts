import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { closeDatabases, openSqlite } from '../support/databases.js'
import { documentRegistrar } from '../support/document-registrar.js'
import { startHostProcess } from '../support/host-process.js'
import { peakMemory, processorSeconds, readySeconds } from '../support/process-figures.js'
import { median } from './interleave.js'
import { printRow } from './row.js'

const MIB = 1 << 20
const SIZES = [256, 1024]
const SEVERAL_SIZE = 128 * MIB
/** The slowest first. */
const SEVERAL = ['streebog512', 'sha512', 'sha256']
const AT_ONCE = [1, 2, 4]
const AT_ONCE_SIZE = 128 * MIB
const RUNS = 5
const SINK = fileURLToPath(new URL('hashing-sink.js', import.meta.url))

/** What originals of this size are hashed with. */
interface Way {
  readonly name: string
  /** As `DIGESTS` says it; the stock default without it. */
  readonly digests?: string
  readonly oids: readonly string[]
  readonly aim: `>= ${number}`
}
const SHA256 = '2.16.840.1.101.3.4.2.1'
const STREEBOG = '1.2.398.3.10.1.3.3'
const WAYS: readonly Way[] = [
  { name: 'the default (SHA-256 and Streebog-512)', oids: [SHA256, STREEBOG], aim: '>= 0.25' },
  { name: 'SHA-256 alone', digests: 'sha256', oids: [SHA256], aim: '>= 1' },
]

/**
 * Uploads to `/data` of a stock host by curl against `openssl dgst -sha256` of the same file and against a bare sink that
 * hashes as much, and the host's memory; several digests against the slowest of them; several uploads at once.
 * `hashing=256`: of so many MiB.
 */
export async function run(sizes = SIZES.join()): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-hashing-'))
  try {
    for (const size of sizes.split(',')) for (const way of WAYS) await measure(Number(size) * MIB, way, folder)
    await measureSeveral(folder)
    await measureAtOnce(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await closeDatabases()
  }
}

/** A host of its own for each: peak memory never falls. */
async function measure(size: number, { name, digests, oids, aim }: Way, folder: string): Promise<void> {
  const file = join(folder, 'original')
  writeOriginal(file, size)
  const uploads = await uploadsTo(mkdtempSync(join(folder, 'host-')), file, digests)
  const sink = startHostProcess({}, [SINK, ...oids])
  const sinkUrl = await sink.url
  const [idle, idleSeconds] = [peakMemory(uploads.host), processorSeconds(uploads.host)]
  const rounds: { ours: number; openssl: number; sink: number }[] = []
  for (let index = 0; index < RUNS; index += 1) {
    const openssl = await secondsOf(async () => digestByOpenssl(file))
    rounds.push({ openssl, sink: await secondsOf(() => upload(sinkUrl, file)), ours: await uploads.seconds() })
  }
  const speed = (which: 'ours' | 'openssl' | 'sink') =>
    `${(size / MIB / median(rounds.map((round) => round[which]))).toFixed(0)} MiB/s`
  const processor = (processorSeconds(uploads.host) - idleSeconds) / RUNS / (size / (1024 * MIB))
  const what = `${size / MIB} MiB through /data, ${name}`
  printRow({
    what,
    floor: 'the speed of openssl dgst -sha256',
    ratios: rounds.map(({ ours, openssl }) => openssl / ours),
    aim,
    figures:
      `${speed('ours')} against ${speed('openssl')}; processor time of the host ${processor.toFixed(2)} s/GiB; ` +
      `its peak memory ${peakMemory(uploads.host)} MiB (${idle} before)`,
  })
  printRow({
    what,
    floor: 'the speed of a bare sink that hashes the same',
    ratios: rounds.map(({ ours, sink }) => sink / ours),
    aim: '>= 0.9',
    figures: `${speed('ours')} against ${speed('sink')}`,
  })
  await Promise.all([uploads.host.end('SIGTERM'), sink.end('SIGTERM')])
}

async function secondsOf(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await work()
  return (performance.now() - start) / 1000
}

async function measureSeveral(folder: string): Promise<void> {
  const file = join(folder, 'original')
  writeOriginal(file, SEVERAL_SIZE)
  const [slowest = ''] = SEVERAL
  const alone = await uploadsTo(join(folder, 'alone'), file, slowest)
  const together = await uploadsTo(join(folder, 'together'), file, SEVERAL.join(' '))
  const ratios: number[] = []
  for (let index = 0; index < RUNS; index += 1) ratios.push((await alone.seconds()) / (await together.seconds()))
  const what = `${SEVERAL_SIZE / MIB} MiB through /data, ${SEVERAL.join(', ')}`
  printRow({ what, floor: `the speed of ${slowest} alone`, ratios, aim: '>= 0.9' })
  await Promise.all([alone.host.end('SIGTERM'), together.host.end('SIGTERM')])
}

/** Uploads at once with the default digests: a thread for each digest of each upload should use all processors. */
export async function measureAtOnce(folder: string): Promise<void> {
  const file = join(folder, 'original')
  writeOriginal(file, AT_ONCE_SIZE)
  const uploads = await uploadsTo(join(folder, 'at-once'), file)
  const sink = startHostProcess({}, [SINK, SHA256, STREEBOG])
  const sinkUrl = await sink.url
  for (const count of AT_ONCE) {
    const all = (work: () => Promise<unknown>) => secondsOf(() => Promise.all(Array.from({ length: count }, work)))
    const rounds: { ours: number; openssl: number; sink: number; ready: readonly number[] }[] = []
    for (let index = 0; index < RUNS; index += 1) {
      const openssl = await all(() => promisify(execFile)('openssl', ['dgst', '-sha256', file]))
      const { seconds: ours, ready } = await uploads.timed(count)
      rounds.push({ openssl, ours, ready, sink: await all(() => upload(sinkUrl, file)) })
    }
    const what = `${count} x ${AT_ONCE_SIZE / MIB} MiB at once, the default`
    const shares = [0, 1, 2].map((thread) => median(rounds.map(({ ready }) => ready[thread] ?? 0)).toFixed(2))
    const used = `its busiest threads ran, or were ready to, for ${shares.join(', ')} of the time`
    for (const [floor, ratios, aim] of [
      ['as many openssl dgst -sha256 at once', rounds.map(({ ours, openssl }) => openssl / ours), '>= 0.25'],
      ['a bare sink that hashes the same', rounds.map(({ ours, sink }) => sink / ours), '>= 0.9'],
    ] as const) {
      printRow({ what, floor, ratios, aim, figures: used })
    }
  }
  await Promise.all([uploads.host.end('SIGTERM'), sink.end('SIGTERM')])
}

/** A host that hashes what comes with these digests, the seconds that uploads of a file at once to it take, and what of them each thread was busy. */
async function uploadsTo(data: string, file: string, digests?: string) {
  const environment = { DATA_DIR: data, DATABASE_URL: await openSqlite(), ...(digests && { DIGESTS: digests }) }
  const host = startHostProcess(environment)
  const url = await host.url
  const register = documentRegistrar(url, join(data, 'dev-authorities'))
  const digest = digestByOpenssl(file)
  const timed = async (count = 1) => {
    const ids = await Promise.all(Array.from({ length: count }, () => register(digest)))
    const before = readySeconds(host)
    const seconds = await secondsOf(() => Promise.all(ids.map((id) => upload(`${url}/api/${id}/data`, file))))
    const ready = [...readySeconds(host)].map(([thread, after]) => (after - (before.get(thread) ?? 0)) / seconds)
    return { seconds, ready: ready.sort((a, b) => b - a) }
  }
  return { host, timed, seconds: async () => (await timed()).seconds }
}

function writeOriginal(file: string, size: number): void {
  const handle = openSync(file, 'w')
  const chunk = Buffer.alloc(MIB)
  for (let written = 0; written < size; written += MIB) {
    chunk.writeUInt32BE(written / MIB, 0)
    writeSync(handle, chunk)
  }
}

function digestByOpenssl(file: string): Buffer {
  const { stdout } = spawnSync('openssl', ['dgst', '-sha256', file], { encoding: 'utf8' })
  return Buffer.from(stdout.trim().split('= ')[1] ?? '', 'hex')
}

async function upload(url: string, file: string): Promise<void> {
  const headers = ['-H', 'Content-Type: application/octet-stream', '-H', 'Expect:']
  await promisify(execFile)('curl', ['--silent', '--fail-with-body', '-X', 'POST', '-T', file, ...headers, url])
}
