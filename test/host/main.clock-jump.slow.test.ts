import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { openDatabase } from '#core/database/open.js'
import { openSqlite } from '../support/databases.js'
import { giveDevAuthorities } from '../support/dev-authorities-folder.js'
import { AT } from '../support/host-process.js'
import { postJson, request } from '../support/http.js'
import { until } from '../support/until.js'

const MAIN = fileURLToPath(import.meta.resolve('#host/main.js'))
const JUMPING = fileURLToPath(import.meta.resolve('../support/jumping-clock.js'))
/** Tasks of every few seconds would have been due a hundred thousand times in three days. */
const MAX_LINES = 50

describe('a host whose clock is put three days forward', () => {
  let folder: string
  let child: ChildProcess
  let database: Knex
  let log: () => string

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-clock-'))
    giveDevAuthorities(folder)
    const url = await openSqlite()
    database = openDatabase(url)
    const output = openSync(join(folder, 'log'), 'a')
    log = () => readFileSync(join(folder, 'log'), 'utf8')
    const env = { PATH: process.env.PATH, DATA_DIR: folder, DATABASE_URL: url, PORT: '0', MTLS_PORT: '0' }
    child = spawn(process.execPath, ['--import', JUMPING, MAIN], {
      env: { ...env, DEV_AUTHORITIES: 'yes' },
      stdio: ['ignore', output, output],
    })
    closeSync(output)
  })
  after(async () => {
    child.kill('SIGKILL')
    await database.destroy()
    rmSync(folder, { recursive: true, force: true })
  })

  it('answers, does each task once, and says so in a line', async () => {
    await until(async () => AT.test(log()))
    const url = AT.exec(log())?.[1]
    expect((await postJson(`${url}/api/auth`, {})).status).to.equal(200)
    const nonces = async () => Number((await database('registry_nonces').count({ n: '*' }).first())?.n)
    expect(await nonces()).to.be.above(0)
    const before = log().split('\n').length

    child.kill('SIGWINCH')
    // A task that was due at that very moment may clear the nonces before the schedule wakes to the new time.
    await until(async () => (await nonces()) === 0 && log().includes('Scheduled tasks run late'))
    expect((await request(`${url}/api/version`)).status).to.equal(200)
    const said = log()
      .split('\n')
      .slice(before - 1)
    expect(said.filter((line) => line.includes('Scheduled tasks run late'))).to.have.length(1)
    expect(said).to.have.length.below(MAX_LINES)
    expect(log()).not.to.include('missed execution')
  })
})
