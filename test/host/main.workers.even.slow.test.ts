import { mkdtempSync, rmSync } from 'node:fs'
import http from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openMariaDb } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { killHostProcesses } from '../support/host-process.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { ask, startWorkers, type WorkersHost } from '../support/workers-host.js'

const onMariaDb = mariaDbProgram === undefined ? describe.skip : describe
const CONNECTIONS = 32
/** Connections that one of two workers may have above the other. */
const EVEN_ENOUGH = 6

onMariaDb('the connections of a host with two workers', function () {
  this.timeout(600_000)
  let folder: string
  let host: WorkersHost
  const agents: http.Agent[] = []
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'registry-workers-'))
    const env = { DATA_DIR: folder, DATABASE_URL: await openMariaDb(), CONNECTIONS_PER_ADDRESS: '0' }
    host = startWorkers({ ...env, PORT: String(await freePort()), MTLS_PORT: String(await freePort()) })
    await host.url
  })
  after(() => {
    for (const agent of agents) agent.destroy()
    killHostProcesses()
    rmSync(folder, { recursive: true, force: true })
  })

  it('stay as they are where a caller has two', async () => {
    const url = await host.url
    const two = [await host.connectionTo(url, 1), await host.connectionTo(url, 1)]
    const askOften = async (agent: http.Agent) => {
      for (let n = 0; n < 130; n += 1) {
        const { status, connection } = await ask(agent, url, 'GET', '/healthz')
        expect([status, connection]).to.deep.equal([200, 'keep-alive'])
      }
    }
    await Promise.all(two.map(askOften))
  })

  it('are divided evenly among them when one had all, at both ports as one, and no request fails', async () => {
    const urls = [await host.url, await host.systemsUrl]
    const options = { keepAlive: true, maxSockets: 1 }
    const callers = Array.from({ length: CONNECTIONS }, (_, at) => ({
      url: urls[at % 2] ?? '',
      agent: at % 2 === 0 ? new http.Agent(options) : new https.Agent({ ...options, rejectUnauthorized: false }),
      path: `/caller-${at}`,
    }))
    agents.push(...callers.map(({ agent }) => agent))
    const ended = new Map(urls.map((url) => [url, 0]))
    const askOnce = async ({ url, agent, path }: (typeof callers)[number]) => {
      const { status, connection } = await ask(agent, url, 'GET', path)
      expect(status).to.equal(404)
      if (connection === 'close') ended.set(url, (ended.get(url) ?? 0) + 1)
    }
    const second = host.pidOf(2)
    process.kill(second, 'SIGSTOP')
    await Promise.all(callers.map(askOnce))
    process.kill(second, 'SIGCONT')
    let read = 0
    const workers = new Map<string, number | undefined>()
    const difference = () => {
      for (; read < host.lines.length; read += 1) {
        const { path = '', worker } = host.lines[read] ?? {}
        if (path.startsWith('/caller-')) workers.set(path, worker)
      }
      const first = [...workers.values()].filter((worker) => worker === 1).length
      return Math.abs(2 * first - workers.size)
    }
    const askUntilEven = async (caller: (typeof callers)[number]) => {
      do await askOnce(caller)
      while (difference() > EVEN_ENOUGH || workers.size < CONNECTIONS)
    }
    await Promise.all(callers.map(askUntilEven))
    expect(Math.min(...ended.values())).to.be.above(0)
    expect(host.lines.filter(({ msg }) => msg === 'a worker ended, and is replaced')).to.deep.equal([])
    expect(await host.end('SIGTERM')).to.equal(0)
  })
})
