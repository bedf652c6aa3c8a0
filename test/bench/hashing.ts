import { execFile, spawnSync } from 'node:child_process'
import { mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { closeDatabases, openSqlite } from '../support/databases.js'
import { documentRegistrar } from '../support/document-registrar.js'
import { startHostProcess } from '../support/host-process.js'
import { peakMemory, processorSeconds } from '../support/process-figures.js'

const MIB = 1 << 20
const SIZES = [256 * MIB, 1024 * MIB]
const RUNS = 4

/**
 * Uploads to `/data` of a stock host by curl against `openssl dgst -sha256` of the same file, and the host's memory. Of
 * several runs the fastest counts on both sides: an upload takes two processors, so that a busy machine slows it first.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-hashing-'))
  try {
    for (const size of SIZES) await measure(size, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await closeDatabases()
  }
}

/** A host of its own for each size: peak memory never falls. */
async function measure(size: number, folder: string): Promise<void> {
  const file = join(folder, 'original')
  writeOriginal(file, size)
  const data = join(folder, String(size))
  const host = startHostProcess({ DATA_DIR: data, DATABASE_URL: await openSqlite() })
  const url = await host.url
  const register = documentRegistrar(url, join(data, 'dev-authorities'))
  const [idle, idleSeconds] = [peakMemory(host), processorSeconds(host)]
  const rounds: { ours: number; openssl: number }[] = []
  for (let index = 0; index < RUNS; index += 1) {
    const before = performance.now()
    const digest = digestByOpenssl(file)
    const openssl = (performance.now() - before) / 1000
    const id = await register(digest)
    const start = performance.now()
    await upload(`${url}/api/${id}/data`, file)
    rounds.push({ ours: (performance.now() - start) / 1000, openssl })
  }
  const best = (name: 'ours' | 'openssl') => Math.min(...rounds.map((round) => round[name]))
  const speed = (name: 'ours' | 'openssl') => `${(size / MIB / best(name)).toFixed(0)} MiB/s`
  const processor = (processorSeconds(host) - idleSeconds) / RUNS / (size / (1024 * MIB))
  console.log(
    `${size / MIB} MiB: ${speed('ours')} through /data, openssl dgst ${speed('openssl')}, ` +
      `${(best('openssl') / best('ours')).toFixed(2)} of its speed; processor time of the host ${processor.toFixed(2)} s/GiB; ` +
      `its peak memory ${peakMemory(host)} MiB (${idle} before)`,
  )
  await host.end('SIGTERM')
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
