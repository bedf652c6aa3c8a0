import { appendFileSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { freePort } from '../support/free-port.js'
import { onPath } from '../support/programs.js'
import { expectCardOfRegistered } from '../support/registered-card.js'
import { runProgramSync } from '../support/run-program.js'
import { SystemdMachine, startsSystemd } from '../support/systemd.js'
import { until } from '../support/until.js'

const unit = fileURLToPath(new URL('../../deploy/signed-registry.service', import.meta.url))
const USER = 990
const DATA = 'var/lib/signed-registry'
const ENVIRONMENT = 'etc/signed-registry/environment'
const LOG = 'var/log/signed-registry.log'
const suite = startsSystemd || process.env.REQUIRE_SYSTEMD === '1' ? describe : describe.skip

suite('deploy/signed-registry.service', () => {
  let machine: SystemdMachine
  let url: string
  const read = (name: string) => readFileSync(join(machine.root, name), 'utf8')
  const property = (name: string) => machine.run('systemctl', 'show', '--value', '--property', name, 'signed-registry')
  const untilReady = (meanwhile = async () => {}) =>
    until(async () => {
      await meanwhile()
      return (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true
    })

  before(async () => {
    const port = await freePort()
    url = `http://127.0.0.1:${port}`
    machine = new SystemdMachine()
    await machine.start({
      'etc/passwd': `root:x:0:0::/root:/bin/sh\nsigned-registry:x:${USER}:${USER}::/var/lib/signed-registry:/bin/sh\n`,
      'etc/group': `root:x:0:\nsigned-registry:x:${USER}:\n`,
      [ENVIRONMENT]: `HOST=127.0.0.1\nPORT=${port}\nMTLS_PORT=off\nDEV_AUTHORITIES=yes\n`,
      'etc/systemd/system/signed-registry.service': readFileSync(unit, 'utf8'),
      // There is no journal.
      'etc/systemd/system/signed-registry.service.d/log.conf': `[Service]\nStandardOutput=append:/${LOG}\n`,
      [LOG]: '',
    })
    await machine.run('systemctl', 'enable', '--now', 'signed-registry')
    await untilReady(async () => {
      expect(await property('NRestarts'), read(LOG)).to.equal('0')
    })
  })
  after(() => machine.end())

  it('runs as a user of its own, who may write to its folder alone', async () => {
    expect(await machine.run('systemctl', 'is-active', 'signed-registry')).to.equal('active')
    const pid = await property('MainPID')
    const statusOf = (name: string) =>
      machine.run('sh', '-c', `while read line; do echo "$line"; done </proc/${pid}/${name}`)
    expect(await statusOf('status'))
      .to.match(new RegExp(`^Uid:\\s+${USER}\\s+${USER}`, 'm'))
      .and.match(/^NoNewPrivs:\s+1$/m)
      .and.match(/^CapBnd:\s+0+400$/m)
    expect(await statusOf('mounts'))
      .to.match(/^\S+ \/ \S+ ro,/m)
      .and.match(/^\S+ \/var\/lib\/signed-registry \S+ rw,/m)
    expect(statSync(join(machine.root, DATA)).mode & 0o777).to.equal(0o700)
  })

  it('registers, and makes and reads cards', () =>
    expectCardOfRegistered(url, join(machine.root, DATA, 'dev-authorities')))

  it('reads ENVIRONMENT_FILE anew when it is reloaded, and goes on', async () => {
    const pid = await property('MainPID')
    appendFileSync(join(machine.root, ENVIRONMENT), 'LOG_LEVEL=debug\n')
    await machine.run('systemctl', 'reload', 'signed-registry')
    await until(async () => read(LOG).includes('read anew: LOG_LEVEL: debug'))
    expect(await property('MainPID')).to.equal(pid)
  })

  it('is started again when it was killed, and has what it had', async () => {
    const before = await property('MainPID')
    await machine.run('systemctl', 'kill', '--signal=KILL', 'signed-registry')
    await until(async () => !['0', before].includes(await property('MainPID')))
    await untilReady()
  })

  it('ends orderly when it is stopped', async () => {
    await machine.run('systemctl', 'stop', 'signed-registry')
    const [result, code, status] = await Promise.all(['Result', 'ExecMainCode', 'ExecMainStatus'].map(property))
    expect({ result, code, status }).to.deep.equal({ result: 'success', code: '1', status: '0' })
  })
})

const analyze = onPath('systemd-analyze')
const analyzed = analyze !== undefined || process.env.REQUIRE_SYSTEMD === '1' ? describe : describe.skip

analyzed('deploy/signed-registry.service, as systemd-analyze reads it', () => {
  it('is exposed no more than it was', () => {
    // Tenths: what is left are sockets, system calls that are not filtered, and code that V8 compiles.
    const args = ['security', '--offline=true', '--threshold=34', unit]
    expect(runProgramSync(analyze ?? 'systemd-analyze', args).status).to.equal(0)
  })
})
