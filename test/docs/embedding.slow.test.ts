import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { RegistryListenerOptions } from '@signed-registry/host'
import { expect } from 'chai'
import { runProgram } from '../support/run-program.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

describe('docs/embedding.md', () => {
  let folder: string
  // Inside the repository, so that the program resolves its packages.
  const program = join(root, 'dist-test', 'embedding-example.mjs')
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-embedding-'))
  })
  after(() => {
    rmSync(folder, { recursive: true, force: true })
    rmSync(program, { force: true })
  })

  it('tells every option of the API, and no other', () => {
    const options: Record<keyof RegistryListenerOptions, true> = {
      ...{ registry: true, prefix: true, sessionSecrets: true, rates: true, limits: true, pace: true },
      ...{ spoolFolder: true, spoolReserve: true, corsOrigins: true, corsAnonymous: true, proxies: true },
      ...{ errorsStatus: true, heldCalls: true, logLevel: true },
    }
    const text = readFileSync(join(root, 'docs/embedding.md'), 'utf8')
    const [, table = ''] = /^\| Option .*\n\|[-| ]+\n((?:\|.*\n)+)/m.exec(text) ?? []
    const told = [...table.matchAll(/^\| `(\w+)` /gm)].map(([, name]) => name)
    expect(told).to.have.members(Object.keys(options))
  })

  it('has every package of its programs installed first', () => {
    const text = readFileSync(join(root, 'docs/embedding.md'), 'utf8')
    const installed = [...text.matchAll(/^npm install ([^#\n]+)/gm)].flatMap(([, names = '']) =>
      names.trim().split(/\s+/),
    )
    const examples = ['fastify/main.ts', 'http/main.ts'].map((file) =>
      readFileSync(join(root, `docs/examples/embed-in-${file}`), 'utf8'),
    )
    const used = [text, ...examples].flatMap((source) => [...source.matchAll(/^import .* from '([^']+)'$/gm)])
    expect(used).to.have.length.above(10)
    const packages = used.map(([, name = '']) => name.split('/', name.startsWith('@') ? 2 : 1).join('/'))
    expect(installed).to.include.members(packages.filter((name) => !name.startsWith('node:')))
  })

  it('has a complete program that registers a document in process', async () => {
    const [, source = ''] = /```js\n([\s\S]*?)```/.exec(readFileSync(join(root, 'docs/embedding.md'), 'utf8')) ?? []
    writeFileSync(program, source)
    const env = { ...process.env, REGISTRY_FILE: join(folder, 'registry.sqlite') }
    const { stdout } = await runProgram(process.execPath, [program], { env })
    expect(stdout).to.match(/^[A-Za-z0-9]{16} was signed by .*CN=ИВАНОВ ИВАН/)
    expect(stdout).to.contain('time stamps given: 1\n')
    expect(stdout).to.contain('the original is what was signed\n')
    expect(stdout).to.contain('signatureDoesNotCorrespond: Signature does not correspond to the document\n')
  })
})
