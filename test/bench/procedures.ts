import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { closeDatabases, type OpenDatabase, openMariaDb, openSqlite } from '../support/databases.js'
import { startHostProcess } from '../support/host-process.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { processorSeconds } from '../support/process-figures.js'
import { load, postRequest } from './http-load.js'
import { median } from './interleave.js'
import { printRow } from './row.js'

const CALLS = 500
const ROUNDS = 8
const WARM_UP = 10
const CONNECTIONS = 16
const AIM = 1000

/** Raw procedures that begin in a second, each with a QR code of its own, over HTTP. */
export async function run(): Promise<void> {
  await measure('SQLite', openSqlite)
  if (mariaDbProgram === undefined) console.log('MariaDB is not installed: its half is left out')
  else await measure('MariaDB', openMariaDb)
  await closeDatabases()
}

async function measure(name: string, open: OpenDatabase): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'registry-procedures-'))
  const unlimited = 'procedures.stranger=0; procedures.strangers=0; procedures.whole=0'
  const host = startHostProcess({ DATA_DIR: folder, DATABASE_URL: await open(), SHARES: unlimited })
  const url = await host.url
  const requests = Array.from({ length: CALLS }, () => postRequest('/api/govQr', { description: 'A contract' }))
  for (let round = 0; round < WARM_UP; round += 1) await load(url, requests, CONNECTIONS)
  const before = processorSeconds(host)
  const seconds: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) seconds.push(await load(url, requests, CONNECTIONS))
  const each = ((processorSeconds(host) - before) / (ROUNDS * CALLS)) * 1e6
  printRow({
    what: `${name}, procedures that begin`,
    floor: `${AIM} a second`,
    ratios: seconds.map((one) => CALLS / one / AIM),
    aim: '>= 1',
    figures: `${(CALLS / median(seconds)).toFixed(0)}/s; processor time of one ${each.toFixed(0)} us`,
  })
  await host.end('SIGTERM')
  rmSync(folder, { recursive: true, force: true })
}
