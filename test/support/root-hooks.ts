import { chmodSync, mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RootHookObject } from 'mocha'
import { bundleHost } from './bundle.js'
import { closeDatabases, shareMariaDb } from './databases.js'
import { killHostProcesses } from './host-process.js'
import { mariaDbProgram } from './mariadb.js'
import { recordRefusals, refusalFaults } from './refusals-met.js'

/** `DURABLE=1` keeps the files on the disk, flushed at every commit; else they are in memory where there is some. */
const durable = process.env.DURABLE === '1'
const NEEDED = 6 * 1024 ** 3

let folder: string | undefined

/** Makes the folder of all temporary files of the run and the host in one file, and starts its one MariaDB. */
export async function mochaGlobalSetup(): Promise<void> {
  folder = mkdtempSync(join(durable ? tmpdir() : fastestFolder(), 'registry-tests-'))
  // MariaDB runs as a user of its own when root starts it.
  chmodSync(folder, 0o711)
  process.once('exit', removeFolder)
  // Without this nothing would be tidied up after Ctrl+C.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  process.env.TMPDIR = folder
  process.env.REFUSALS_MET ??= join(folder, 'refusals')
  process.env.TEST_HOST = await bundleHost()
  if (mariaDbProgram !== undefined && process.env.TEST_DATABASES !== 'sqlite') await shareMariaDb({ durable })
  else if (mariaDbProgram === undefined && process.env.REQUIRE_MYSQL !== '1')
    console.log('mariadbd is not installed: every suite "on MariaDB" is skipped (REQUIRE_MYSQL=1 makes that a failure)')
}

export async function mochaGlobalTeardown(): Promise<void> {
  await closeDatabases()
  const faults = refusalFaults(process.env.EVERY_REFUSAL === '1')
  removeFolder()
  if (faults.length > 0) throw new Error(`Refusals of operations:\n${faults.join('\n')}`)
}

function removeFolder(): void {
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
}

recordRefusals()

/** In parallel they run once for each file. */
export const mochaHooks: RootHookObject = {
  afterAll: killHostProcesses,
}

/** `/dev/shm` where it is large enough: in a container it often has 64 MB. */
function fastestFolder(): string {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize >= NEEDED ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}
