import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openMariaDb } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { killHostProcesses } from '../support/host-process.js'
import { killWorkers } from '../support/killed-workers.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { amount } from '../support/sweep.js'
import { startWorkers } from '../support/workers-host.js'

const KILLS = amount(10, 100)
const onMariaDb = mariaDbProgram === undefined ? describe.skip : describe

onMariaDb('a host whose workers are killed again and again', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-killed-workers-'))
  })
  after(() => {
    killHostProcesses()
    rmSync(folder, { recursive: true, force: true })
  })

  it(`loses and doubles nothing acknowledged in ${KILLS} kills`, async function () {
    this.timeout(3_600_000)
    const database = await openMariaDb()
    const host = startWorkers({ DATA_DIR: folder, DATABASE_URL: database, PORT: String(await freePort()) })
    await host.url
    await killWorkers(host, database, folder, KILLS)
    expect(host.torn).to.deep.equal([])
    expect(await host.end('SIGTERM')).to.equal(0)
  })
})
