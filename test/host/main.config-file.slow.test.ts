import { mkdtempSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { bundleHost } from '../support/bundle.js'
import { writeConfig } from '../support/config-file.js'
import { forEachEmptyDatabase, forServer } from '../support/databases.js'
import { killHostProcesses, startHostProcess } from '../support/host-process.js'
import { runProgram } from '../support/run-program.js'

describe('a host with a configuration file, far from our packages', () => {
  let folder: string
  beforeEach(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'registry-by-file-')))
  })
  afterEach(() => {
    killHostProcesses()
    rmSync(folder, { recursive: true })
  })

  const greeted = async (url: string) => {
    const answer = await fetch(`${url}/api/greetings/person`, { method: 'POST' })
    return { status: answer.status, ...Object(await answer.json()) }
  }
  forEachEmptyDatabase((open) => {
    it('migrates, checks, administers and serves with a plugin that shares core', async () => {
      const [program, file] = [await bundleHost(), writeConfig(folder)]
      const env = {
        ...{ PATH: process.env.PATH, DATA_DIR: folder, DATABASE_URL: await open(), DEV_AUTHORITIES: 'yes' },
        ...{ PORT: '0', MTLS_PORT: 'off' },
      }
      const run = async (...args: string[]) =>
        (await runProgram(process.execPath, [program, ...args], { cwd: folder, env })).stdout
      expect(await run('migrate', 'up')).to.match(/^applied {2}greetings-0001-names$/m)
      expect(await run('doctor')).to.include(`every variable is valid, by ${file} as well, with greetings`)
      const { stdout } = await run('admin', 'check-archive').catch((error: unknown) => Object(error))
      expect(stdout).to.include('"kind":"unknown"')
      const host = startHostProcess({ ...env, REGISTRY_CONFIG: file }, [program, 'start'])
      expect(await greeted(await host.url)).to.deep.equal({ status: 200, greeted: 1 })
      expect(await host.end('SIGTERM')).to.equal(0)
    })
  })

  it('serves from the modules too', async () => {
    const main = fileURLToPath(import.meta.resolve('#host/main.js'))
    const host = startHostProcess({ DATA_DIR: folder, REGISTRY_CONFIG: writeConfig(folder) }, [main, 'start'])
    expect(await greeted(await host.url)).to.deep.equal({ status: 200, greeted: 1 })
  })

  forServer((open) => {
    it('serves at every worker', async () => {
      const program = await bundleHost()
      const env = { DATA_DIR: folder, DATABASE_URL: await open(), WORKERS: '2', PORT: '0' }
      const host = startHostProcess(env, [program, 'start', `--config=${writeConfig(folder)}`])
      const url = await host.url
      for (let greetings = 1; greetings <= 4; greetings += 1)
        expect(await greeted(url)).to.deep.equal({ status: 200, greeted: greetings })
      expect(await host.end('SIGTERM')).to.equal(0)
    })
  })

  it('ends with everything that is wrong, and starts nothing', async () => {
    const file = writeConfig(folder, "settings: { PORT: 'many' }, without: ['pages', 'page']")
    const program = await bundleHost()
    const host = startHostProcess({ DATA_DIR: folder, PORT: '' }, [program, '--config', file])
    const errors = await host.errors
    expect(errors).to.match(
      /^Wrong configuration:\n {2}.*: without: there is no stock plugin page;.*\n {2}PORT: takes a port/,
    )
  })
})
