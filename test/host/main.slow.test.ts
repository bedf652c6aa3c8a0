import { on, once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { commandLine } from '#host/cli/command-line.js'
import { openMariaDb } from '../support/databases.js'
import { freePort } from '../support/free-port.js'
import { startHostProcess } from '../support/host-process.js'
import { openSocket, request } from '../support/http.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { until } from '../support/until.js'

describe('the stock host', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-host-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('starts with nothing configured, warns that nothing it does proves anything, and stops gracefully', async () => {
    const host = startHostProcess({ DATA_DIR: join(folder, 'data'), LOG_LEVEL: 'warn', TRUST_ANCHOR: folder })
    expect((await request(`${await host.url}/readyz`)).json).to.include({ status: 'ready' })
    expect(existsSync(join(folder, 'data', 'registry.sqlite'))).to.equal(true)
    const lines = (await host.greeting).trim().split('\n')
    const said = lines.map((line): { msg: string; url?: string; systemsUrl?: string } => JSON.parse(line))
    expect(said.map(({ msg }) => msg)).to.include(
      'TRUST_ANCHOR: is no variable of the registry; is TRUST_ANCHORS meant?',
    )
    expect(said.at(-1)).to.include({ level: 30, url: await host.url, systemsUrl: await host.systemsUrl })
    expect(await host.end('SIGTERM')).to.equal(0)
    expect(JSON.parse(await host.errors))
      .to.include({ level: 40 })
      .and.have.property('msg')
      .match(/^DEVELOPMENT AUTHORITIES ARE ON/)
  })

  if (mariaDbProgram !== undefined)
    it('warns of settings of its database server that are not safe, each with its reason', async () => {
      const env = { DATABASE_URL: await openMariaDb(), DATA_DIR: join(folder, 'unsafe'), LOG_LEVEL: 'warn' }
      const host = startHostProcess(env)
      let said = ''
      host.child.stdout?.on('data', (text) => {
        said += text
      })
      await until(async () => said.includes('large rows are refused'))
      expect(said).to.match(/may lose or refuse registrations: max_allowed_packet is \d+: large rows are refused/)
      expect(await host.end('SIGTERM')).to.equal(0)
    })

  it('stops despite bodies that trickle and connections without requests', async () => {
    const host = startHostProcess({ DATA_DIR: join(folder, 'dripping'), LOG_LEVEL: 'error' })
    const url = await host.url
    const sockets = [await openSocket(url), await openSocket(url), await openSocket(url)] as const
    const [dripping, half] = sockets
    for (const socket of sockets) socket.on('error', () => undefined).resume()
    const asked = once(dripping, 'data')
    dripping.write(
      'GET /healthz HTTP/1.1\r\nHost: x\r\n\r\nPOST /api HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n',
    )
    dripping.write('Content-Length: 100000\r\n\r\n{')
    half.write('GET /healthz HT')
    await asked
    const drip = setInterval(() => dripping.write(' '), 100)
    expect(await host.end('SIGTERM')).to.equal(0)
    clearInterval(drip)
  })

  it('goes on when nobody reads its output, and stops on a signal', async () => {
    const port = await freePort()
    const host = startHostProcess({ DATA_DIR: join(folder, 'unread'), LOG_LEVEL: 'info', PORT: String(port) })
    host.greeting.catch(() => undefined)
    host.child.stdout?.destroy()
    // The warning comes just before the greeting, which nobody reads.
    for await (const said of on(host.child.stderr ?? host.child, 'data'))
      if (String(said).includes('DEVELOPMENT AUTHORITIES')) break
    for (let n = 0; n < 3; n++) expect((await request(`http://127.0.0.1:${port}/api/version`)).status).to.equal(200)
    expect(await host.end('SIGTERM')).to.equal(0)
  })

  it('ends before it listens when its configuration is wrong, and says everything that is wrong', async () => {
    const host = startHostProcess({ PORT: 'many', LOG_LEVEL: 'loud', DATA_DIR: folder })
    expect(await host.errors).to.match(/^Wrong configuration:\n {2}PORT: takes .*\n {2}LOG_LEVEL: takes .*\n$/)
    expect(await host.end('SIGTERM')).to.equal(1)
  })

  it('ends when its port is taken', async () => {
    const first = startHostProcess({ DATA_DIR: join(folder, 'first') })
    const { port } = new URL(await first.url)
    const second = startHostProcess({ PORT: port, DATA_DIR: join(folder, 'second') })
    expect(await second.errors).to.include('is in use at 127.0.0.1')
    expect(await second.end('SIGTERM')).to.equal(1)
    await first.end('SIGKILL')
  })
  it('has an SQLite database for itself until it ends, even by SIGKILL, and the command line works beside it', async () => {
    const env = { DATA_DIR: join(folder, 'shared') }
    const first = startHostProcess(env)
    const url = await first.url
    const second = startHostProcess(env)
    const database = `sqlite:${join(folder, 'shared', 'registry.sqlite')}`
    expect(await second.errors).to.match(
      new RegExp(`^Wrong configuration:\n  DATABASE_URL: another host runs on ${database}: `),
    )
    expect(await second.end('SIGTERM')).to.equal(1)
    const said: string[] = []
    const console = { env, out: (text: string) => said.push(text), err: (text: string) => said.push(text) }
    for (const args of [
      ['migrate', 'up'],
      ['backup', join(folder, 'copy.sqlite')],
      ['admin', 'log'],
    ])
      expect(await commandLine(args, console), said.join('')).to.equal(0)
    expect((await request(`${url}/readyz`)).status).to.equal(200)
    await first.end('SIGKILL')
    const third = startHostProcess(env)
    expect((await request(`${await third.url}/readyz`)).status).to.equal(200)
    expect(await third.end('SIGTERM')).to.equal(0)
  })
})
