import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { giveDevAuthorities } from '../support/dev-authorities-folder.js'
import { until } from '../support/until.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const MADE = new Set(['dist', 'bundle', 'node_modules'])

describe('npm run dev', () => {
  let copy: string
  before(() => {
    copy = mkdtempSync(join(tmpdir(), 'dev-'))
    for (const name of ['core', 'plugins', 'host', 'packaging'])
      cpSync(join(root, name), join(copy, name), { recursive: true, filter: (path) => !MADE.has(basename(path)) })
    for (const name of ['package.json', 'tsconfig.base.json']) cpSync(join(root, name), join(copy, name))
    for (const name of ['node_modules', 'host/node_modules'])
      if (existsSync(join(root, name))) symlinkSync(join(root, name), join(copy, name))
  })
  after(() => rmSync(copy, { recursive: true }))

  it('starts the host again when its sources change, and leaves it alone when they do not compile', async function () {
    this.timeout(600_000)
    const env = {
      PATH: process.env.PATH,
      DATA_DIR: join(copy, 'data'),
      PORT: '0',
      MTLS_PORT: 'off',
      DEV_AUTHORITIES: 'yes',
    }
    giveDevAuthorities(env.DATA_DIR)
    const program = spawn(process.execPath, [join(copy, 'packaging/dev.mjs')], { env })
    let said = ''
    for (const stream of [program.stdout, program.stderr])
      stream.on('data', (chunk) => {
        said += chunk
      })
    const isSaid = (words: RegExp) => until(async () => words.test(said))
    const main = join(copy, 'host/src/main.ts')
    const source = readFileSync(main, 'utf8')
    try {
      await isSaid(/Stop with/)
      writeFileSync(main, `${source}process.stdout.write(`)
      await isSaid(/error TS/)
      const [, url] = /The registry is at (\S+)/.exec(said) ?? []
      expect((await fetch(`${url}/readyz`)).status).to.equal(200)
      writeFileSync(main, `process.stdout.write('changed')\n${source}`)
      await isSaid(/changed[\s\S]*Stop with/)
    } finally {
      program.kill()
      await once(program, 'exit')
    }
  })
})
