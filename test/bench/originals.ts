import { execFile, spawnSync } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { closeDatabases, openSqlite } from '../support/databases.js'
import { documentRegistrar } from '../support/document-registrar.js'
import { startHostProcess } from '../support/host-process.js'
import { peakMemory, processorSeconds } from '../support/process-figures.js'

const MIB = 1 << 20
const SIZE = 1024 * MIB
const RUNS = 3
/** Where originals are kept while this is measured: a disk. */
const DISK = process.env.BENCH_DISK ?? '/var/tmp'

/**
 * Uploads to `/data` of a stock host that keeps hashes alone, one that stores the original in a folder, and one that
 * encrypts it, beside `cp` and a flush of the same file; and the hosts' memory. Of several runs the fastest counts.
 */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(DISK, 'registry-bench-'))
  try {
    const file = join(folder, 'original')
    const sha256 = writeOriginal(file)
    const floor = best(Array.from({ length: RUNS }, () => copy(file, join(folder, 'copy'))))
    console.log(`cp and a flush of ${SIZE / MIB} MiB: ${floor.toFixed(2)} s`)
    const key = `a:${randomBytes(32).toString('base64')}`
    const hashes = await measure('hashes alone', folder, file, sha256, {}, {})
    for (const [name, env] of [
      ['stored in a folder', {}],
      ['encrypted in a folder', { ARCHIVE_KEYS: key }],
    ] as const) {
      const stored = await measure(name, folder, file, sha256, env, { tempStorageAfterRegistration: 3_600_000 })
      console.log(
        `  ${(stored / hashes).toFixed(2)} times hashes alone, ${(stored / floor).toFixed(2)} times cp and a flush`,
      )
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
    await closeDatabases()
  }
}

async function measure(
  name: string,
  folder: string,
  file: string,
  sha256: Buffer,
  env: NodeJS.ProcessEnv,
  settings: object,
): Promise<number> {
  const data = mkdtempSync(join(folder, 'host-'))
  const limits = { RATE_LIMIT_ANONYMOUS: '0', RATE_LIMIT_ANONYMOUS_BYTES: '0' }
  const host = startHostProcess({
    DATA_DIR: data,
    DATABASE_URL: await openSqlite(),
    DIGESTS: 'sha256',
    ...limits,
    ...env,
  })
  const url = await host.url
  const register = documentRegistrar(url, join(data, 'dev-authorities'), settings)
  const [idle, worked] = [peakMemory(host), processorSeconds(host)]
  const seconds: number[] = []
  for (let index = 0; index < RUNS; index += 1) {
    const id = await register(sha256)
    const start = performance.now()
    await upload(`${url}/api/${id}/data`, file)
    seconds.push((performance.now() - start) / 1000)
    rmSync(join(data, 'archive'), { recursive: true, force: true })
  }
  const processor = (processorSeconds(host) - worked) / RUNS
  console.log(
    `${name}: ${best(seconds).toFixed(2)} s, ${processor.toFixed(2)} s of processors; peak memory of the host ${peakMemory(host)} MiB (${idle} before)`,
  )
  await host.end('SIGTERM')
  return best(seconds)
}

const best = (seconds: readonly number[]): number => Math.min(...seconds)

function copy(from: string, to: string): number {
  const start = performance.now()
  const { status } = spawnSync('dd', [`if=${from}`, `of=${to}`, 'bs=1M', 'conv=fsync'], { stdio: 'ignore' })
  if (status !== 0) throw new Error('The file was not copied')
  const seconds = (performance.now() - start) / 1000
  rmSync(to)
  return seconds
}

function writeOriginal(file: string): Buffer {
  const hash = createHash('sha256')
  const handle = openSync(file, 'w')
  for (let written = 0; written < SIZE; written += MIB) {
    const chunk = randomBytes(MIB)
    hash.update(chunk)
    writeSync(handle, chunk)
  }
  closeSync(handle)
  return hash.digest()
}

async function upload(url: string, file: string): Promise<void> {
  const headers = ['-H', 'Content-Type: application/octet-stream', '-H', 'Expect:']
  const { stdout } = await promisify(execFile)('curl', ['-sS', '-X', 'POST', ...headers, '-T', file, url])
  const answer: { code?: string } = JSON.parse(stdout)
  if (answer.code !== undefined) throw new Error(stdout)
}
