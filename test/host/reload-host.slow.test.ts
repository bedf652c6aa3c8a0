import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { localCertificate, pem } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { isAlive } from '../support/child-processes.js'
import { clientCertificate, type TestClientCertificate } from '../support/client-certificate.js'
import { openMariaDb } from '../support/databases.js'
import { mariaDbProgram } from '../support/mariadb.js'
import { presentAuthorities } from '../support/pki/authorities.js'
import { childrenOf } from '../support/process-figures.js'
import { until } from '../support/until.js'
import { startWorkers, type WorkersHost } from '../support/workers-host.js'

/** The serial number of the certificate that a port shows to a new connection. */
async function shown(url: string): Promise<string> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), rejectUnauthorized: false })
  await once(socket, 'secureConnect')
  const { fingerprint256 } = socket.getPeerCertificate()
  socket.destroy()
  return fingerprint256.replaceAll(':', '').toLowerCase()
}

/** A request over the connection of an agent; answers the status and the local port of the connection. */
async function askOver(agent: https.Agent, url: string, path = '/healthz') {
  const sent = https.get(`${url}${path}`, { agent, rejectUnauthorized: false })
  const [answer] = await once(sent, 'response')
  let text = ''
  for await (const chunk of answer.setEncoding('utf8')) text += chunk
  return { status: answer.statusCode, from: sent.socket?.localPort, text }
}

describe('a host that is told by SIGHUP to read anew', () => {
  let folder: string
  const first = clientCertificate()
  const second = clientCertificate()
  let host: WorkersHost
  let at: (name: string) => string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-reload-'))
    at = (name) => join(folder, name)
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  const write = ({ pem: cert, key }: Pick<TestClientCertificate, 'pem' | 'key'>) => {
    writeFileSync(at('cert.pem'), cert)
    writeFileSync(at('key.pem'), key)
  }
  const writeVariables = (more: Record<string, string> = {}) =>
    writeFileSync(
      at('environment'),
      Object.entries({ LOG_LEVEL: 'info', SESSION_SECRET: 'a'.repeat(32), ...more })
        .map(([name, value]) => `${name}=${value}\n`)
        .join(''),
    )
  /** Sends the signal, and gives the lines that it caused. */
  const hangUp = async (count = 1) => {
    const from = host.lines.length
    const said = () =>
      host.lines
        .slice(from)
        .map(({ msg }) => msg)
        .filter((msg) => /read anew|restart/.test(msg))
    host.child.kill('SIGHUP')
    await until(async () => said().length >= count)
    return said()
  }
  const begin = (env: NodeJS.ProcessEnv = {}) => {
    write(first)
    writeVariables()
    const { anchors, intermediates } = presentAuthorities()
    writeFileSync(at('anchors.pem'), [...anchors, ...intermediates].map((der) => pem('CERTIFICATE', der)).join(''))
    host = startWorkers({
      ...{ DATA_DIR: at('data'), WORKERS: '1', ENVIRONMENT_FILE: at('environment') },
      ...{ TLS_CERT: at('cert.pem'), TLS_KEY: at('key.pem') },
      ...{ TRUST_ANCHORS: at('anchors.pem'), TSP_URL: 'http://127.0.0.1:1/', OCSP_URL: 'http://127.0.0.1:1/' },
      ...{ WEBHOOK_TLS_CERT: at('cert.pem'), WEBHOOK_TLS_KEY: at('key.pem'), DEV_AUTHORITIES: '' },
      ...env,
    })
  }

  describe('in one process', () => {
    before(() => begin())
    after(() => host.end('SIGTERM'))

    it('shows the new certificate at both ports, keeps open connections, and says what has changed and until when', async () => {
      const ports = [await host.url, await host.systemsUrl] as const
      for (const port of ports) expect(await shown(port)).to.equal(first.digest)
      const agents = ports.map((port) => ({ port, agent: new https.Agent({ keepAlive: true, maxSockets: 1 }) }))
      const before = await Promise.all(agents.map(({ port, agent }) => askOver(agent, port)))
      write(second)
      writeVariables({ LOG_LEVEL: 'debug', SESSION_SECRET: `${'b'.repeat(32)},${'a'.repeat(32)}` })
      const [said = ''] = await hangUp()
      expect(said).to.match(
        /^read anew: TLS_CERT: until \d{4}-\S+; SESSION_SECRET: 2 in use; LOG_LEVEL: debug; webhook client: until \d{4}-/,
      )
      for (const port of ports) expect(await shown(port)).to.equal(second.digest)
      const after = await Promise.all(agents.map(({ port, agent }) => askOver(agent, port)))
      expect(after).to.deep.equal(before)
      for (const { agent } of agents) agent.destroy()
    })

    it('says so when nothing has changed', async () => {
      expect(await hangUp()).to.deep.equal(['read anew: nothing has changed'])
    })

    const refused: readonly (readonly [string, () => void, RegExp])[] = [
      [
        'a key of another certificate',
        () => writeFileSync(at('key.pem'), second.key),
        /TLS_KEY: is not the key of TLS_CERT/,
      ],
      ['a file that is missing', () => rmSync(at('cert.pem')), /TLS_CERT: cannot read \S+cert\.pem/],
      [
        'a certificate that has ended',
        () => {
          const ended = localCertificate(at('ended'), { now: () => Date.UTC(2001, 0, 1) })
          write({ pem: ended.cert, key: ended.key })
        },
        /TLS_CERT, TLS_KEY: the certificate has ended on .* 20(10|11)/,
      ],
      ['no trust anchor', () => writeFileSync(at('anchors.pem'), ''), /trust anchors: /],
      ['a malformed variable', () => writeVariables({ LOG_LEVEL: 'loud' }), /LOG_LEVEL: takes one of/],
      [
        'a secret that is too short',
        () => writeVariables({ SESSION_SECRET: 'short' }),
        /SESSION_SECRET: takes secrets/,
      ],
      [
        'a value that a # would cut off',
        () => writeVariables({ SESSION_SECRET: `${'a'.repeat(32)}#${'b'.repeat(32)}` }),
        /ENVIRONMENT_FILE: line 2 of \S+ has a #: put the value in quotes/,
      ],
      ['variables that cannot be read', () => rmSync(at('environment')), /ENVIRONMENT_FILE: cannot read /],
    ]
    for (const [what, spoil, words] of refused)
      it(`changes nothing for ${what}, and says in one line what is wrong`, async () => {
        copyFileSync(at('anchors.pem'), at('good-anchors.pem'))
        write(second)
        writeVariables()
        await hangUp()
        write(first)
        writeVariables({ LOG_LEVEL: 'fatal' })
        spoil()
        const said = await hangUp()
        expect(said).to.have.length(1)
        expect(said[0]).to.match(/^nothing was read anew, and the host goes on with what it had: /)
        expect(said[0]).to.match(words)
        expect(said[0]).to.not.include('aaaa')
        // The log still has lines of level info, so its level has not changed either.
        copyFileSync(at('good-anchors.pem'), at('anchors.pem'))
        write(second)
        writeVariables()
        const [again] = await hangUp()
        expect(again).to.match(/^read anew: (nothing has changed|trust anchors: \d+)$/)
        expect(await shown(await host.url)).to.equal(second.digest)
      })

    it('names variables that count only after a restart', async () => {
      write(second)
      writeVariables({ SEARCH_LIMIT: '7', LOG_LEVEL: 'warn' })
      const said = await hangUp()
      expect(said).to.deep.equal(['changed, and counts only after a restart: SEARCH_LIMIT'])
      // Until it is put back it is still not in force.
      expect(await hangUp()).to.deep.equal(said)
      writeVariables()
      expect(await hangUp()).to.deep.equal(['read anew: LOG_LEVEL: info'])
    })

    it('tells in its metrics when each certificate ends', async () => {
      const agent = new https.Agent()
      const { text } = await askOver(agent, await host.url, '/metrics')
      for (const use of ['TLS', 'webhook client', 'trust anchor'])
        expect(text).to.match(
          new RegExp(`^registry_certificate_end_seconds\\{use="${use}",subject="[^"]+"\\} \\d{10}$`, 'm'),
        )
    })
  })

  if (mariaDbProgram !== undefined)
    it('does so in each of its workers', async () => {
      begin({ WORKERS: '2', DATABASE_URL: await openMariaDb(), DATA_DIR: at('workers') })
      const url = await host.url
      write(second)
      expect(await hangUp(2)).to.have.length(2)
      for (let n = 0; n < 6; n += 1) expect(await shown(url)).to.equal(second.digest)
      writeFileSync(at('key.pem'), first.key)
      expect(await hangUp()).to.have.length(1)
      for (let n = 0; n < 6; n += 1) expect(await shown(url)).to.equal(second.digest)
      write(second)
      expect(await host.end('SIGTERM')).to.equal(0)
    })

  if (mariaDbProgram !== undefined)
    it('gives a worker that is replaced the variables of its siblings, and tells it what it missed', async () => {
      begin({ WORKERS: '2', DATABASE_URL: await openMariaDb(), DATA_DIR: at('replaced') })
      const url = await host.url
      writeVariables({ DATABASE_URL: 'mysql://root@127.0.0.1:1/elsewhere', SEARCH_LIMIT: '7' })
      const said = await hangUp(3)
      expect(said.filter((msg) => msg.startsWith('changed'))).to.deep.equal([
        'changed, and counts only after a restart: DATABASE_URL, SEARCH_LIMIT',
      ])
      const [worker = 0] = childrenOf(host.child.pid)
      process.kill(worker, 'SIGKILL')
      await until(async () => childrenOf(host.child.pid).length === 2 && !childrenOf(host.child.pid).includes(worker))
      // It is still starting.
      write(second)
      const from = host.lines.length
      host.child.kill('SIGHUP')
      const readAnew = () => host.lines.slice(from).filter(({ msg }) => /^read anew/.test(msg))
      await until(async () => readAnew().length === 2)
      for (let n = 0; n < 6; n += 1) expect(await shown(url)).to.equal(second.digest)
      expect(await host.end('SIGTERM')).to.equal(0)
    })
})

describe('a host at a terminal', () => {
  it('ends when the terminal is closed', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'registry-terminal-'))
    const main = fileURLToPath(new URL('../../host/dist/main.js', import.meta.url))
    const terminal = spawn('script', ['-qfec', `${process.execPath} ${main}`, '/dev/null'], {
      env: { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', MTLS_PORT: 'off', DEV_AUTHORITIES: 'yes' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let said = ''
    terminal.stdout.on('data', (chunk) => {
      said += chunk
    })
    await until(async () => said.includes('The registry is at'))
    const [host = 0] = childrenOf(terminal.pid)
      .flatMap((child) => [child, ...childrenOf(child)])
      .slice(-1)
    terminal.kill('SIGKILL')
    await until(async () => !isAlive(host))
    rmSync(folder, { recursive: true })
  })
})
