import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { openMariaDb } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { killHostProcesses, startHostProcess } from '../support/host-process.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { until } from '../support/until.js'
import { ask, startWorkers } from '../support/workers-host.js'

describe('DRAIN_SECONDS', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-drain-'))
  })
  after(() => {
    killHostProcesses()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Asks on a new connection until a host that was stopped says so. */
  const saysSo = (url: string) =>
    until(async () => {
      const { status, text } = await ask(new http.Agent(), url, 'GET', '/readyz')
      return status === 503 && JSON.parse(text).host === 'stopping'
    })

  it('has a host that is stopped say that it is not ready, and go on serving, each connection once', async () => {
    const host = startHostProcess({ DATA_DIR: join(folder, 'one'), DRAIN_SECONDS: '60' })
    const url = await host.url
    const kept = new http.Agent({ keepAlive: true, maxSockets: 1 })
    expect(await ask(kept, url, 'GET', '/api/version')).to.include({ status: 200, connection: 'keep-alive' })
    host.child.kill('SIGTERM')
    await saysSo(url)
    for (const path of ['/api/version', '/healthz', '/login'])
      expect(await ask(kept, url, 'GET', path), path).to.include({ status: 200, connection: 'close' })
    expect(await ask(kept, url, 'POST', '/api', {})).to.include({ status: 400, connection: 'close' })
    // A second signal ends it at once.
    expect(await host.end('SIGTERM')).to.equal(1)
  })

  it('ends in order after that', async () => {
    const host = startHostProcess({ DATA_DIR: join(folder, 'brief'), DRAIN_SECONDS: '1' })
    // It takes signals when it answers.
    await ask(new http.Agent(), await host.url, 'GET', '/healthz')
    expect(await host.end('SIGTERM')).to.equal(0)
  })

  it('does not hide what fails after that', async () => {
    const config = join(folder, 'registry.config.mjs')
    const stubborn = `import { Check, provide } from '@signed-registry/core'
      const make = () => ({ name: 'own', isRequired: false, check: async () => [] })
      const close = () => { throw new Error('It will not close') }
      export default { plugins: [{ name: 'stubborn', provides: [provide(Check, { make, close })] }] }`
    writeFileSync(config, stubborn, { mode: 0o600 })
    const env = { DATA_DIR: join(folder, 'stubborn'), REGISTRY_CONFIG: config, CHECK_MINUTES: '0', LOG_LEVEL: 'error' }
    const host = startHostProcess(env)
    let said = ''
    host.child.stdout?.on('data', (chunk) => {
      said += chunk
    })
    await (await fetch(`${await host.url}/metrics`)).text()
    host.child.kill('SIGTERM')
    const [code] = await once(host.child, 'close')
    expect(code).to.equal(1)
    expect(said).to.include('It will not close')
  })

  if (mariaDbProgram !== undefined)
    it('counts for each worker', async () => {
      const given = { DATABASE_URL: await openMariaDb(), PORT: String(await freePort()), DRAIN_SECONDS: '60' }
      const host = startWorkers({ DATA_DIR: join(folder, 'workers'), ...given })
      const url = await host.url
      const connections = [await host.connectionTo(url, 1), await host.connectionTo(url, 2)]
      const exit = once(host.child, 'exit')
      host.child.kill('SIGTERM')
      await until(async () => host.lines.filter(({ msg }) => msg.startsWith('not ready from now on')).length === 2)
      for (const agent of connections) {
        const { status, text, connection } = await ask(agent, url, 'GET', '/readyz')
        expect([status, JSON.parse(text).host, connection]).to.deep.equal([503, 'stopping', 'close'])
      }
      expect(await ask(new http.Agent(), url, 'GET', '/api/version')).to.include({ status: 200, connection: 'close' })
      host.child.kill('SIGTERM')
      await exit
    })
})
