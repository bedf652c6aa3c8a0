import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { startHostProcess } from '../../support/host-process.js'
import { request } from '../../support/http.js'

describe('a host whose folder of originals cannot be used', () => {
  it('gets no requests until it can, though its object store, mail and authorities would not matter', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'registry-no-archive-'))
    const [archive, aside] = [join(folder, 'archive'), join(folder, 'aside')]
    const host = startHostProcess({
      ...{ DATA_DIR: join(folder, 'data'), ARCHIVE_DIR: archive, ARCHIVE_RESERVE: '0' },
      ...{ CLAMD_ADDRESS: '127.0.0.1:1', MAIL_FROM: 'registry@example.kz', SMTP_URL: 'smtp://127.0.0.1:1?tls=off' },
    })
    try {
      const ready = async () => {
        const { status, json } = await request(`${await host.url}/readyz`)
        return { status, archive: json.archive }
      }
      expect(await ready()).to.deep.equal({ status: 200, archive: 'ok' })
      renameSync(archive, aside)
      writeFileSync(archive, '')
      expect(await ready()).to.deep.equal({ status: 503, archive: 'failed' })
      rmSync(archive)
      renameSync(aside, archive)
      expect(await ready()).to.deep.equal({ status: 200, archive: 'ok' })
    } finally {
      await host.end('SIGTERM')
      rmSync(folder, { recursive: true, force: true })
    }
  })
})
