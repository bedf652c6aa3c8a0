import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { WORKER } from '#host/workers/running-worker.js'
import { fileOf } from '../support/child-processes.js'
import { openMariaDb } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { killHostProcesses } from '../support/host-process.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { childrenOf } from '../support/process-figures.js'
import { until } from '../support/until.js'
import { ask, startWorkers, type WorkersHost } from '../support/workers-host.js'

const onMariaDb = mariaDbProgram === undefined ? describe.skip : describe
const HANGS = 'a worker hangs, and is killed'

onMariaDb('a host with a worker that hangs', () => {
  let folder: string
  let host: WorkersHost
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-workers-'))
    host = await start()
    await host.url
  })
  after(() => {
    killHostProcesses()
    rmSync(folder, { recursive: true, force: true })
  })
  const start = async (): Promise<WorkersHost> => {
    const env = { DATA_DIR: folder, DATABASE_URL: await openMariaDb(), CONNECTIONS_PER_ADDRESS: '0' }
    return startWorkers({ ...env, PORT: String(await freePort()) })
  }
  const said = ({ lines }: WorkersHost, words: string) =>
    lines.filter(({ msg }) => msg === words).map(({ worker }) => worker)

  /** False between fork and exec: a process stopped there blocks its parent. */
  const isWorker = (pid: number) => fileOf(pid, 'environ').includes(WORKER)

  it('ends when the first one hangs while it starts; meanwhile no other is taken for one', async () => {
    const starting = await start()
    starting.url.catch(() => undefined)
    const workers = () => childrenOf(starting.child.pid).filter(isWorker)
    await until(async () => workers().length === 1)
    const [first = 0] = workers()
    process.kill(first, 'SIGSTOP')
    expect(await once(starting.child, 'exit')).to.deep.equal([1, null])
    expect(said(starting, HANGS)).to.deep.equal([1])
    expect(said(starting, 'a worker ended before it listened')).to.deep.equal([1])
    // It has run for longer than any worker is waited for.
    expect(said(host, HANGS)).to.deep.equal([])
  })

  it('kills and replaces it, says so, and answers in the meantime', async () => {
    const url = await host.url
    const first = await host.connectionTo(url, 1)
    const hanging = host.pidOf(2)
    process.kill(hanging, 'SIGSTOP')
    await until(async () => {
      expect((await ask(first, url, 'GET', '/api/version')).status).to.equal(200)
      expect((await ask(new http.Agent(), url, 'GET', '/api/version')).status).to.equal(200)
      return host.pidOf(2) !== hanging
    })
    expect(said(host, HANGS)).to.deep.equal([2])
    expect(said(host, 'a worker ended, and is replaced')).to.deep.equal([2])
    for (const agent of [first, await host.connectionTo(url, 2)]) {
      const { text } = await ask(agent, url, 'GET', '/metrics')
      expect(text).to.match(/^registry_workers_replaced_total\{reason="hung"\} 1$/m)
      expect(text).to.match(/^registry_workers_replaced_total\{reason="ended"\} 0$/m)
    }
    expect(await host.end('SIGTERM')).to.equal(0)
  })
})
