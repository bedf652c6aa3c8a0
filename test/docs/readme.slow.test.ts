import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { bundleHost } from '../support/bundle.js'
import { freePort } from '../support/free-port.js'
import { startHostProcess } from '../support/host-process.js'
import { onPath } from '../support/programs.js'
import { runProgram } from '../support/run-program.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)
const npmProgram = onPath('npm') ?? 'npm'

// `npm start` and `npm run demo` run the host in one file; other tests run its modules.
describe('README.md', () => {
  let bundle: string
  let folder: string
  before(async () => {
    bundle = await bundleHost()
  })
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-readme-'))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('has a worked example that works as it stands', async () => {
    const [, example] =
      /## A worked example[\s\S]*?```sh\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
    const host = startHostProcess({ DATA_DIR: join(folder, 'data') }, [bundle])
    try {
      const script = `set -e\n${example?.replace(/^registry=.*$/m, `registry=${await host.url}`)}\necho " $id"`
      const { stdout } = await run('bash', ['-c', script], { cwd: folder })
      const id = stdout.trimEnd().split(' ').at(-1)
      expect(id).to.match(/^[A-Za-z0-9]{16}$/)
      expect(readFileSync(join(folder, 'data/card.pdf')).toString('latin1', 0, 5)).to.equal('%PDF-')
      expect(stdout).to.contain('"signaturesTotal":2')
      expect(stdout).to.contain('Proved: every signature in the evidence bundle is valid')
      expect(stdout).to.contain(`{"documentId":"${id}","dataArchived":false,"tempStorage":false,"signaturesTotal":2,`)
      await looksAround(await host.url)
    } finally {
      await host.end('SIGTERM')
    }
  })

  it('has a demo that registers, verifies, refuses what was tampered with, and exports what OpenSSL accepts', async () => {
    const { stdout } = await runProgram(bundle, ['demo'])
    for (const line of [
      'It is what they signed.',
      'HTTP 422: Signature does not correspond',
      'CMS Verification successful',
      'and a checkpoint over them that is signed by ',
    ]) {
      expect(stdout).to.contain(line)
    }
    const [, kept] = /Its files are in (\S+)/.exec(stdout) ?? []
    if (kept?.startsWith(tmpdir())) rmSync(kept, { recursive: true })
  })

  it('has a host that ends when npm start is told to, and leaves its port to others', async () => {
    const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ scripts: { start: scripts.start } }))
    mkdirSync(join(folder, 'host/bundle'), { recursive: true })
    symlinkSync(bundle, join(folder, 'host/bundle/signed-registry.js'))
    const npm = startHostProcess({ PORT: String(await freePort()), DATA_DIR: join(folder, 'data') }, [
      npmProgram,
      '--prefix',
      folder,
      'start',
    ])
    const url = await npm.url
    expect((await fetch(`${url}/readyz`)).status).to.equal(200)
    expect(await npm.end('SIGTERM')).to.equal(0)
    expect(await fetch(`${url}/readyz`).catch(({ cause }) => cause.code)).to.equal('ECONNREFUSED')
  })

  it('has a host in one file that finds the driver of MySQL', async () => {
    const env = {
      ...process.env,
      DATABASE_URL: 'mysql://nobody@127.0.0.1:1/none',
      DATA_DIR: folder,
      DEV_AUTHORITIES: 'yes',
    }
    const { code, stderr } = await ended(runProgram(bundle, ['migrate', 'status'], { env }))
    expect(code).to.equal(1)
    expect(stderr).to.equal('Wrong configuration:\n  DATABASE_URL: connect ECONNREFUSED 127.0.0.1:1\n')
  })

  for (const name of ['ajv', 'fast-json-stringify', 'pdf-lib']) {
    it(`does not start where ${name} is not installed, although it is used later`, async () => {
      const hide = join(folder, 'hide.cjs')
      writeFileSync(
        hide,
        `const Module = require('node:module')
        const { _resolveFilename: find } = Module
        Module._resolveFilename = function (name, ...more) {
          return find.call(this, name === '${name}' ? 'not-installed' : name, ...more)
        }`,
      )
      const env = { PATH: process.env.PATH, DATA_DIR: folder, PORT: '0', MTLS_PORT: 'off' }
      const { code, stderr } = await ended(runProgram(process.execPath, ['--require', hide, bundle], { env }))
      expect(code).to.equal(1)
      expect(stderr).to.include("Cannot find module 'not-installed'")
    })
  }

  it('starts one file that knows where threads and assets are, and has nothing in it that looks beside itself', () => {
    const file = join(bundle, '../one-file.js')
    const text = readFileSync(file, 'utf8')
    const at = (place = '') => new URL(place, pathToFileURL(file))
    const places = [...text.matchAll(/new URL\("(\.[^"]+)", import\.meta\.url\)/g)].map(([, place]) => at(place))
    // Knex imports these only to generate migrations, which we never do.
    const asked = [...text.matchAll(/(?<!requireOf\()import\.meta\.url|__dirname(?!, "stub")|__filename/g)]
    expect(asked).to.have.length(places.length)
    const besides = /new URL\("([^"]+\.js)", new URL\("([^"]+)", import\.meta\.url\)/g
    const threads = [...text.matchAll(besides)].map(([, name = '', place]) => new URL(name, at(place)))
    expect(threads.length).to.be.at.least(4)
    for (const one of [...threads, ...places]) expect(existsSync(one), one.href).to.equal(true)
  })
})

/** Runs a program that must fail: its exit code and output. */
async function ended(running: Promise<unknown>): Promise<{ code: unknown; stderr: string }> {
  try {
    await running
  } catch (error) {
    return { code: Object(error).code, stderr: String(Object(error).stderr) }
  }
  throw new Error('It did not fail')
}

/** A page with its assets, the description to browse, and the version of core, whose files are none of the bundle's. */
async function looksAround(url: string): Promise<void> {
  const page = await (await fetch(url)).text()
  const assets = [...page.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
  expect(assets).to.not.deep.equal([])
  for (const path of [...assets, '/docs/static/swagger-ui.css', '/openapi.json', '/metrics'])
    expect((await fetch(url + path)).status, path).to.equal(200)
  expect(await (await fetch(`${url}/api/version`)).json())
    .to.have.property('version')
    .that.matches(/^v\d+\./)
}
