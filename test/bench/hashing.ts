import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { closeDatabases, openSqlite } from '../support/databases.js'
import { documentRegistrar } from '../support/document-registrar.js'
import { startHostProcess } from '../support/host-process.js'
import { peakMemory, processorSeconds } from '../support/process-figures.js'
import { median } from './interleave.js'
import { printRow } from './row.js'

const MIB = 1 << 20
const SIZES = [256 * MIB, 1024 * MIB]
const SEVERAL_SIZE = 128 * MIB
/** The slowest first. */
const SEVERAL = ['streebog512', 'sha512', 'sha256']
const RUNS = 5

/**
 * Uploads to `/data` of a stock host by curl against `openssl dgst -sha256` of the same file, and the host's memory; and
 * with several digests against the slowest of them alone.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-hashing-'))
  try {
    for (const size of SIZES) await measure(size, folder)
    await measureSeveral(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await closeDatabases()
  }
}

/** A host of its own for each size: peak memory never falls. */
async function measure(size: number, folder: string): Promise<void> {
  const file = join(folder, 'original')
  writeOriginal(file, size)
  const uploads = await uploadsTo(join(folder, String(size)), file, 'sha256')
  const [idle, idleSeconds] = [peakMemory(uploads.host), processorSeconds(uploads.host)]
  const rounds: { ours: number; openssl: number }[] = []
  for (let index = 0; index < RUNS; index += 1) {
    const before = performance.now()
    digestByOpenssl(file)
    rounds.push({ openssl: (performance.now() - before) / 1000, ours: await uploads.seconds() })
  }
  const speed = (name: 'ours' | 'openssl') => (size / MIB / median(rounds.map((round) => round[name]))).toFixed(0)
  const processor = (processorSeconds(uploads.host) - idleSeconds) / RUNS / (size / (1024 * MIB))
  printRow({
    what: `${size / MIB} MiB through /data`,
    floor: 'the speed of openssl dgst -sha256',
    ratios: rounds.map(({ ours, openssl }) => openssl / ours),
    aim: '>= 1',
    figures:
      `${speed('ours')} against ${speed('openssl')} MiB/s; processor time of the host ${processor.toFixed(2)} s/GiB; ` +
      `its peak memory ${peakMemory(uploads.host)} MiB (${idle} before)`,
  })
  await uploads.host.end('SIGTERM')
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

/** A host that hashes what comes with these digests, and the seconds that one upload of a file to it takes. */
async function uploadsTo(data: string, file: string, digests: string) {
  const environment = { DATA_DIR: data, DATABASE_URL: await openSqlite(), DIGESTS: digests }
  const host = startHostProcess(environment)
  const url = await host.url
  const register = documentRegistrar(url, join(data, 'dev-authorities'))
  const digest = digestByOpenssl(file)
  const seconds = async () => {
    const id = await register(digest)
    const start = performance.now()
    await upload(`${url}/api/${id}/data`, file)
    return (performance.now() - start) / 1000
  }
  return { host, seconds }
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
