import { mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { writeConfig } from '../../support/config-file.js'
import { killHostProcesses, startHostProcess } from '../../support/host-process.js'
import { runProgram } from '../../support/run-program.js'

const packages = fileURLToPath(new URL('../../../node_modules', import.meta.url))
const main = fileURLToPath(import.meta.resolve('#host/main.js'))

/** What somebody writes with a client of his registry; the last line is wrong. */
const PROGRAM = `import { createClient, isProblem } from './registry-client.js'

const registry = createClient({ baseUrl: process.argv[2] ?? '' })
const { greeted } = await registry.greet({ name: 'person' })
const { version } = await registry.getVersion()
const refused: unknown = await registry.getDocument({ id: 'AAAAAAAAAAAAAAAA' }).catch((error: unknown) => error)
console.log(JSON.stringify([greeted, typeof version, isProblem(refused, 'documentNotFound'), isProblem(refused, 'greetingRefused')]))
`

describe('a client that is written for a registry with plugins', () => {
  let folder: string
  before(() => {
    folder = realpathSync(mkdtempSync(join(tmpdir(), 'registry-client-')))
    symlinkSync(packages, join(folder, 'node_modules'))
    writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  })
  after(() => {
    killHostProcesses()
    rmSync(folder, { recursive: true })
  })
  const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--types', 'node', '--lib', 'es2023,dom']
  const compile = (program: string) => {
    writeFileSync(join(folder, 'program.ts'), program)
    return runProgram(process.execPath, [join(packages, 'typescript/bin/tsc'), ...options, 'program.ts'], {
      cwd: folder,
    })
  }

  it('compiles, and calls operations of plugins as well as those of core', async () => {
    const env = { PATH: process.env.PATH, DATA_DIR: folder, REGISTRY_CONFIG: writeConfig(folder) }
    const { stdout } = await runProgram(process.execPath, [main, 'client', 'registry-client.ts'], { cwd: folder, env })
    expect(stdout).to.match(/^registry-client\.ts has a client of \d+ operations\n$/)
    await compile(PROGRAM)
    const host = startHostProcess(env, [main, 'start'])
    const said = await runProgram(process.execPath, [join(folder, 'program.js'), await host.url])
    expect(JSON.parse(said.stdout)).to.deep.equal([1, 'string', true, false])
  })

  it('is written again, and over nothing else', async () => {
    const env = { PATH: process.env.PATH, DATA_DIR: folder, REGISTRY_CONFIG: writeConfig(folder) }
    const write = (file: string) => runProgram(process.execPath, [main, 'client', file], { cwd: folder, env })
    await write('registry-client.ts')
    writeFileSync(join(folder, 'mine.ts'), 'export const mine = 1\n')
    const refused: { code?: number; stderr: string } = await write('mine.ts').catch((error) => error)
    expect([refused.code, refused.stderr]).to.deep.equal([
      ...[1, 'mine.ts was not written by this command: name another file, or remove it first\n'],
    ])
    expect(readFileSync(join(folder, 'mine.ts'), 'utf8')).to.equal('export const mine = 1\n')
  })

  it('has no operation that the registry has not', async () => {
    const wrong: unknown = await compile(PROGRAM.replace('registry.greet(', 'registry.dismiss(')).catch(
      ({ stdout }: { stdout: string }) => stdout,
    )
    expect(wrong).to.include("Property 'dismiss' does not exist")
  })
})
