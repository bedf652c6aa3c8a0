import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect } from 'chai'
import { startHostProcess } from '../support/host-process.js'

const guide = fileURLToPath(new URL('../../docs/authentication.md', import.meta.url))
const run = promisify(execFile)

describe('docs/authentication.md', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-authentication-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  it('has examples that work as they stand, one after the other', async () => {
    const examples = [...readFileSync(guide, 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(([, example]) => example)
    const host = startHostProcess({ DATA_DIR: join(folder, 'data') })
    try {
      const script = ['set -eo pipefail', ...examples]
        .join('\n')
        .replace(/^registry=.*$/m, `registry=${await host.url}`)
        .replace(/^systems=.*$/m, `systems=${await host.systemsUrl}`)
      const { stdout } = await run('bash', ['-c', script], { cwd: folder })
      const [userId, subject, ip, loggedOut, ...others] = stdout.trimEnd().split('\n')
      expect(userId).to.equal('IIN900101300030')
      expect(subject).to.contain('CN=АХМЕТОВ АХМЕТ')
      expect([ip, loggedOut]).to.deep.equal(['127.0.0.1', '{}Authentication required'])
      expect(others).to.deep.equal(Array(4).fill('BIN200140000019'))
    } finally {
      expect(await host.end('SIGTERM')).to.equal(0)
    }
  })
})
