import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { startHostProcess } from '../support/host-process.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const run = promisify(execFile)

describe('README.md', () => {
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-readme-'))
    symlinkSync(join(root, 'node_modules'), join(folder, 'node_modules'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('has a worked example that works as it stands', async () => {
    const [, example] =
      /## A worked example[\s\S]*?```sh\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8')) ?? []
    const host = startHostProcess({ DATA_DIR: join(folder, 'data') })
    try {
      const script = `set -e\n${example?.replace(/^registry=.*$/m, `registry=${await host.url}`)}\necho " $id"`
      const { stdout } = await run('bash', ['-c', script], { cwd: folder })
      const id = stdout.trimEnd().split(' ').at(-1)
      expect(id).to.match(/^[A-Za-z0-9]{16}$/)
      expect(stdout).to.contain('"signaturesTotal":2')
      expect(stdout).to.contain(`{"documentId":"${id}","dataArchived":false,"tempStorage":false} ${id}`)
    } finally {
      await host.end('SIGTERM')
    }
  })
})

describe('npm run demo', () => {
  it('registers, verifies, refuses what was tampered with, and exports what OpenSSL accepts', async () => {
    const { stdout } = await run(process.execPath, [join(root, 'host/dist/demo/main.js')])
    for (const line of [
      'It is what they signed.',
      'HTTP 422: Signature does not correspond',
      'CMS Verification successful',
    ]) {
      expect(stdout).to.contain(line)
    }
    const [, folder] = /Its files are in (\S+)/.exec(stdout) ?? []
    if (folder?.startsWith(tmpdir())) rmSync(folder, { recursive: true })
  })
})
