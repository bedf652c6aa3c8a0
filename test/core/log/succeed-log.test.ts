import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAdministration } from '@signed-registry/core'
import { checkpointText } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { IntegrateEntries } from '#core/log/integrate-entries.js'
import { LogStore } from '#core/log/log-store.js'
import { ProveEntry } from '#core/log/prove-entry.js'
import { PublishCheckpoint } from '#core/log/publish-checkpoint.js'
import { ServeLog } from '#core/log/serve-log.js'
import { forEachDatabase } from '../../support/databases.js'
import { type LoggingRegistry, loggingRegistry } from '../../support/log/logging-registry.js'
import { LOG_KEY, newLogKey } from '../../support/log-key.js'

describe('a log that can be signed no more', () => {
  forEachDatabase((open) => {
    let folder: string
    let database: string
    let test: LoggingRegistry
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'registry-succession-'))
      database = await open()
      test = await start()
      await test.register()
      await test.integrate()
    })
    afterEach(async () => {
      await test.registry.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const options = (more: object = {}) => ({ key: LOG_KEY, folder, ...more })
    const start = (more: object = {}) => loggingRegistry(database, options(more))
    const again = async (more: object = {}) => {
      await test.registry.close()
      test = await start(more)
    }
    const resume = async (more: object = {}) => {
      const administration = await openAdministration({ database, log: options(more) })
      try {
        return await administration.log.resume()
      } finally {
        await administration.close()
      }
    }
    /** As if the database had been restored: a checkpoint was signed that it does not know. */
    const restored = async (size: number, root = Buffer.alloc(32, 7)) => {
      const { address, origin } = await test.log()
      const name = address.split('/').at(-1)
      writeFileSync(join(folder, `log-${name}.checkpoint`), checkpointText({ origin, size, root }))
      await again()
    }
    const refusal = (work: Promise<unknown>) =>
      work.then(
        () => '',
        (error: unknown) => (error instanceof TypeError ? error.message : String(error)),
      )

    it('ends, and the next one begins with an entry that names its last checkpoint', async () => {
      const before = await test.log()
      await restored(50)
      const { ended, origin, size } = await resume()
      expect([ended, size]).to.deep.equal([before.origin, 50])
      expect(origin).to.not.equal(before.origin)
      await test.integrate()
      const after = await test.log()
      expect(after).to.include({ origin })
      expect(after.earlier.map((log) => log.origin)).to.deep.equal([before.origin])
      const [first] = await test.publicEntries(1, await test.checkpoint())
      expect(first).to.deep.include({ kind: 'succession', origin: before.origin, size: 50 })
      expect(await test.registry.get(ServeLog).checkpoint(before.address.split('/').at(-1) ?? '')).to.equal(
        before.checkpoint,
      )
    })

    it('leaves what none of its checkpoints covers to the next one', async () => {
      await restored(50)
      const { signId } = await test.register()
      const { registry } = test
      const log = await registry.get(LogStore).begin()
      await registry.get(IntegrateEntries).run(log, { holder: log.holder, heldUntil: log.heldUntil })
      const prove = () => test.registry.get(ProveEntry).of('signature', `${signId}`)
      expect(await prove()).to.deep.equal({ state: 'pending' })
      const { moved, lost, origin } = await resume()
      expect([moved, lost]).to.deep.equal([1, 0])
      await test.integrate()
      expect(await prove()).to.include({ state: 'logged', origin })
    })

    it('is succeeded where its last entries are lost, and says how many no checkpoint covers', async () => {
      await test.register()
      const { registry } = test
      const log = await registry.get(LogStore).begin()
      await registry.get(IntegrateEntries).run(log, { holder: log.holder, heldUntil: log.heldUntil })
      await registry.get(Database).query('registry_log_bundles').delete()
      const { signId } = await test.register()
      expect(await resume()).to.include({ size: log.size, moved: 0, lost: 1 })
      await test.integrate()
      expect(await registry.get(ProveEntry).of('signature', `${signId}`)).to.include({ state: 'logged' })
    })

    it('still proves what its checkpoints cover', async () => {
      const { signId } = await test.register()
      await test.integrate()
      const { origin } = await test.log()
      await restored(50)
      await resume()
      await test.integrate()
      expect(await test.registry.get(ProveEntry).of('signature', `${signId}`)).to.include({ state: 'logged', origin })
    })

    it('takes nothing more from a host that has not noticed yet', async () => {
      await restored(50)
      const { registry } = test
      const seen = await registry.get(LogStore).begin()
      await test.register()
      await resume()
      const turn = { holder: seen.holder, heldUntil: seen.heldUntil }
      expect(await registry.get(IntegrateEntries).run(seen, turn)).to.equal(undefined)
      await registry.get(PublishCheckpoint).run(seen)
      expect(await registry.get(LogStore).at(0)).to.include({ size: seen.size, publishedSize: seen.publishedSize })
      await test.integrate()
      expect((await test.checkpoint()).size).to.be.greaterThan(1)
    })

    it('is not succeeded while it can be signed, or lacks nothing but a key', async () => {
      expect(await refusal(resume())).to.equal('The log can be signed: it goes on as it is')
      expect(await refusal(resume({ key: undefined }))).to.match(/noKey/)
      const administration = await openAdministration({ database, log: 'off' })
      expect(await refusal(administration.log.resume())).to.equal('This registry keeps no log')
      await administration.close()
      expect((await test.log()).earlier).to.deep.equal([])
    })

    it('is succeeded where its tree is another one, where a tile is lost, and where its key is', async () => {
      const { size } = await test.checkpoint()
      await restored(size)
      await resume()
      await test.integrate()
      await test.registry.get(Database).query('registry_log_tiles').where({ log: 1 }).delete()
      expect(await resume()).to.include({ lost: 0 })
      const key = newLogKey()
      await test.integrate()
      await again({ key })
      await resume({ key })
      await test.integrate()
      expect((await test.log()).earlier).to.have.lengthOf(3)
      expect((await test.checkpoint()).size).to.be.greaterThan(0)
    })

    it('never gives its origin to the next one, also where it is configured', async () => {
      await restored(50)
      const { origin } = await resume({ origin: 'registry.example/log' })
      expect(origin).to.match(/^registry\.example\/log\/[0-9a-f]{16}$/)
    })
  })
})
