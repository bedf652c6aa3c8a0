import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { anonymous, openAdministration } from '@signed-registry/core'
import { RegisterDocument } from '@signed-registry/core/documents'
import { GetLog } from '@signed-registry/core/log'
import { expect } from 'chai'
import { LogWorker } from '#core/log/log-worker.js'
import { commandLine } from '#host/cli/command-line.js'
import { forEachDatabase } from '../../../support/databases.js'
import { startTestHost, type TestHost } from '../../../support/host.js'
import { auditJson } from '../../../support/log/run-audit.js'
import { LOG_KEY, newLogKey } from '../../../support/log-key.js'

describe('signed-registry audit-log of a running host', () => {
  forEachDatabase((open) => {
    let folder: string
    let database: string
    let host: TestHost
    before(async () => {
      folder = mkdtempSync(join(tmpdir(), 'audit-'))
      database = await open()
      host = await startTestHost(async () => database, { registry: { log: { key: LOG_KEY } } })
    })
    after(async () => {
      await host.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const register = async (count: number) => {
      for (let n = 0; n < count; n += 1) {
        const signature = host.authorities
          .person()
          .signCms(Buffer.from(`${Math.random()}`))
          .toString('base64')
        await host.registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
      }
      await host.registry.get(LogWorker).run()
    }
    const state = () => join(folder, 'state.json')

    it('proves its log by what it serves, and compares its database', async () => {
      await register(300)
      const { verifierKey = '', origin, address } = await host.registry.get(GetLog).execute()
      const args = ['--state', state(), '--key', verifierKey, '--with-database', database]
      const found = await auditJson([host.url, ...args])
      expect(found).to.deep.include({ code: 0, wrong: [], log: { origin, address } })
      expect(Object(found.database).asLogged).to.equal(300)
      await register(3)
      expect(await auditJson([address, ...args])).to.deep.include({ code: 0, wrong: [] })
    })

    it('follows it when its key has changed twice meanwhile', async () => {
      let present = LOG_KEY
      for (const next of [newLogKey(), newLogKey()]) {
        const administration = await openAdministration({ database, log: { key: present } })
        await administration.log.changeKey(next)
        await administration.close()
        present = next
      }
      const { verifierKey } = await host.registry.get(GetLog).execute()
      const found = await auditJson([host.url, '--state', state()])
      expect(found).to.deep.include({ code: 0, wrong: [] })
      expect(found.key).to.include({ verifierKey })
    })

    it('is a command of the program', async () => {
      const said = { out: '', err: '' }
      const code = await commandLine(['audit-log', host.url, '--state', state(), '--json'], {
        env: {},
        out(text) {
          said.out += text
        },
        err(text) {
          said.err += text
        },
      })
      expect([code, JSON.parse(said.out).outcome, said.err]).to.deep.equal([0, 'proved', ''])
    })
  })
})
