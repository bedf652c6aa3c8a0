import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { machineVolumes, makeBaseImages } from '../support/base-image.js'
import { Buildah, type ImageConfig, makesImages } from '../support/buildah.js'
import { giveDevAuthorities } from '../support/dev-authorities-folder.js'
import { freePort } from '../support/free-port.js'
import { startReadOnly } from '../support/read-only-container.js'
import { expectCardOfRegistered } from '../support/registered-card.js'
import { exhaustive } from '../support/sweep.js'
import { until } from '../support/until.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const suite = exhaustive && (makesImages || process.env.REQUIRE_BUILDAH === '1') ? describe : describe.skip

suite('Dockerfile', function () {
  this.timeout(900_000)
  const IMAGE = 'signed-registry'
  let buildah: Buildah
  let container: string
  let config: ImageConfig
  const inside = (env: readonly string[], ...command: readonly string[]) =>
    buildah.run('run', ...env.flatMap((one) => ['--env', one]), container, '--', ...command)

  before(async () => {
    buildah = new Buildah()
    await makeBaseImages(buildah, readFileSync(join(root, 'Dockerfile'), 'utf8'))
    const volumes = (await machineVolumes()).flatMap((volume) => ['--volume', volume])
    await buildah.build(IMAGE, ...volumes, root)
    config = await buildah.configOf(IMAGE)
    container = await buildah.run('from', '--pull-never', IMAGE)
  })
  after(() => buildah.remove())

  it('makes an image whose command line looks at everything', async () => {
    const said = await inside(['DATA_DIR=/tmp/data', 'PORT=0', 'MTLS_PORT=off'], 'signed-registry', 'doctor')
    expect(said).to.match(/^ok {4}node: v24\./m)
  })

  it('has nothing in it that its user could change, and no compilers', async () => {
    expect(JSON.parse(await inside([], 'node', '-e', FIND, '/registry', '/usr', '/etc'))).to.deep.equal([])
    const mounted = await buildah.run('mount', container)
    expect(execFileSync('ls', [`${mounted}/registry/node_modules`], { encoding: 'utf8' }).split('\n'))
      .to.include('fastify')
      .and.not.include.members(['typescript'])
  })

  it('runs as another user than root, on a read-only file system, is healthy, registers, and ends orderly', async () => {
    const port = await freePort()
    const env = [`PORT=${port}`, 'MTLS_PORT=off', 'DEV_AUTHORITIES=yes']
    const data = mkdtempSync(join(buildah.folder, 'data-'))
    giveDevAuthorities(data)
    execFileSync('chown', ['-R', '1000:1000', data])
    const [kind, ...check] = config.Healthcheck?.Test ?? []
    expect(kind).to.equal('CMD')
    expect(await inside(env, ...check).catch(({ code }) => code)).to.equal(1)

    const run = await startReadOnly(buildah, container, { data, env, command: config.Cmd })
    const ended = once(run, 'exit')
    let said = ''
    for (const stream of [run.stdout, run.stderr]) stream.on('data', (chunk) => (said += chunk))
    const greeting = /"pid":(\d+),[^\n]*"url":"(http:[^"]+)"/
    await until(async () => greeting.test(said) || run.exitCode !== null)
    const [, pid = '', url = ''] = greeting.exec(said) ?? []
    expect(pid, said).to.not.equal('')
    try {
      const statusOf = (name: string) => readFileSync(`/proc/${pid}/${name}`, 'utf8')
      expect(statusOf('status'))
        .to.match(/^Uid:\t1000\t1000\t1000\t1000$/m)
        .and.match(/^CapEff:\t0+$/m)
        .and.match(/^NoNewPrivs:\t1$/m)
      expect(statusOf('mounts')).to.match(/^\S+ \/ \S+ ro,/m)
      await inside(env, ...check)
      await expectCardOfRegistered(url, join(data, 'dev-authorities'))
      process.kill(Number(pid), config.StopSignal)
      expect(await ended, said).to.deep.equal([0, null])
    } finally {
      // The host itself: buildah would leave it behind.
      if (run.exitCode === null) process.kill(Number(pid), 'SIGKILL')
    }
  })
})

/** Prints what the user who runs it may write to, of these folders and all that is in them. */
const FIND = `
const { accessSync, constants, readdirSync } = require('node:fs')
const may = (path) => { try { accessSync(path, constants.W_OK); return true } catch { return false } }
const all = process.argv.slice(1).flatMap((folder) =>
  [folder, ...readdirSync(folder, { recursive: true }).map((name) => folder + '/' + name)])
console.log(JSON.stringify(all.filter(may)))`
