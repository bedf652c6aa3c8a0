import { existsSync, mkdtempSync, readdirSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { bundleHost } from '../support/bundle.js'
import { killHostProcesses, startHostProcess } from '../support/host-process.js'
import { runProgram } from '../support/run-program.js'
import { exhaustive } from '../support/sweep.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const packages = join(root, 'node_modules')
const program = join(root, 'create-plugin/bin/create-plugin.js')
const kinds = readdirSync(join(root, 'create-plugin/templates')).filter((name) => name !== 'common')

describe('npm create signed-registry-plugin', () => {
  let folder: string
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'registry-create-')))
    symlinkSync(packages, join(folder, 'node_modules'))
  })
  after(() => {
    killHostProcesses()
    rmSync(folder, { recursive: true })
  })
  const run = (cwd: string, ...args: string[]) => runProgram(process.execPath, args, { cwd })
  const create = (...args: string[]) =>
    run(folder, program, ...args).then(
      ({ stdout }) => ({ code: 0, said: stdout }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, said: stderr }),
    )
  const compile = (plugin: string) => run(plugin, join(packages, 'typescript/bin/tsc'))

  it('has four kinds', () => {
    expect(kinds).to.have.members(['operation', 'mailer', 'archive', 'webhook'])
  })

  for (const kind of exhaustive ? kinds : kinds.slice(0, 1))
    it(`makes a plugin that compiles and keeps its own test: ${kind}`, async () => {
      // A name that the port could have too.
      const name = kind
      const { code, said } = await create(name, '--kind', kind)
      expect([code, said]).to.deep.equal([0, said])
      expect(said).to.include(`cd ${name} && npm install && npm test`)
      const plugin = join(folder, name)
      for (const file of ['.gitignore', 'README.md', `src/${name}.test.ts`])
        expect(existsSync(join(plugin, file)), file).to.equal(true)
      await compile(plugin)
      const { stdout } = await run(plugin, '--test', '--test-reporter=tap', `dist/${name}.test.js`)
      expect(stdout)
        .to.match(/^# pass [1-9]/m)
        .and.match(/^# fail 0$/m)
    })

  it('makes one that the stock host runs, by the file that is made with it', async () => {
    await create('visits', '--kind', 'operation')
    const plugin = join(folder, 'visits')
    await compile(plugin)
    const env = { DATA_DIR: join(plugin, 'data'), REGISTRY_CONFIG: join(plugin, 'registry.config.js') }
    const host = startHostProcess(env, [await bundleHost(), 'start'])
    const visit = async (name: string) => {
      const answer = await fetch(`${await host.url}/api/visits/${name}`, { method: 'POST' })
      const { visits, code }: { visits?: number; code?: string } = Object(await answer.json())
      return { status: answer.status, ...(visits === undefined ? { code } : { visits }) }
    }
    expect(await visit('somebody')).to.deep.equal({ status: 200, visits: 1 })
    expect(await visit('nobody')).to.deep.equal({ status: 403, code: 'visitorRefused' })
    expect(await host.end('SIGTERM')).to.equal(0)
  })

  it('tells how it is used, and takes no name or folder that would not do', async () => {
    for (const args of [[], ['ours'], ['ours', '--kind', 'scanner'], ['a', 'b', '--kind', 'mailer']])
      expect(await create(...args), args.join(' ')).to.have.property('code', 2)
    expect((await create('Ours', '--kind', 'mailer')).said).to.include('Ours: a plugin is named by small letters')
    for (const name of ['index', 'visit-store', 'errors'])
      expect((await create(name, '--kind', 'operation')).said, name).to.include('choose another name')
    await create('twice', '--kind', 'mailer')
    expect(await create('twice', '--kind', 'mailer')).to.deep.equal({ code: 1, said: 'twice is not empty\n' })
  })
})
