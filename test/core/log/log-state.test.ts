import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkpointText } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { HighWaterMark } from '#core/log/high-water-mark.js'
import { LogState } from '#core/log/log-state.js'
import { forEachDatabase } from '../../support/databases.js'
import { type LoggingRegistry, loggingRegistry } from '../../support/log/logging-registry.js'
import { LOG_KEY } from '../../support/log-key.js'

describe('the state of the log', () => {
  forEachDatabase((open) => {
    let folder: string
    let test: LoggingRegistry
    beforeEach(async () => {
      folder = mkdtempSync(join(tmpdir(), 'registry-log-state-'))
      test = await loggingRegistry(await open(), { key: LOG_KEY, folder })
    })
    afterEach(async () => {
      await test.registry.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const report = () => test.registry.get(LogState).report()
    const check = async () => (await test.registry.readiness()).checks.log

    it('tells what is in the tree, what waits, and when it was signed and stamped', async () => {
      expect(await report()).to.deep.include({ isOn: true, log: undefined, halted: undefined })
      await test.integrate()
      await test.register()
      expect((await report()).pending).to.equal(1)
      await test.integrate()
      const { size } = await test.checkpoint()
      const { log, checkpoint, stamp, halted, pending, address } = await report()
      expect(log).to.include({ size, origin: (await test.log()).origin })
      expect(checkpoint).to.deep.equal({ size, at: test.clock.time })
      expect(stamp?.size).to.equal(1)
      expect([halted, pending, address]).to.deep.equal([undefined, 1, (await test.log()).address])
    })

    it('is stale for monitoring when an entry waits for more than five minutes', async () => {
      await test.integrate()
      await test.register()
      expect(await check()).to.equal('ok')
      test.clock.time += 5 * 60_000
      expect(await check()).to.equal('ok')
      test.clock.time += 1
      expect(await check()).to.equal('stale')
      await test.integrate()
      expect(await check()).to.equal('ok')
    })

    it('is stale when an entry of the tree waits for its checkpoint for more than five minutes', async () => {
      await test.register()
      await test.integrate()
      const marks = test.registry.get(HighWaterMark)
      const raise = marks.raise.bind(marks)
      marks.raise = async () => {
        throw new Error('the disk is full')
      }
      for (const minutes of [0, 4]) {
        test.clock.time += minutes * 60_000
        await test.register()
        await test.integrate().catch(() => undefined)
        expect(await check()).to.equal('ok')
      }
      test.clock.time += 60_000 + 1
      expect((await report()).pending).to.equal(0)
      expect(await check()).to.equal('stale')
      marks.raise = raise
      await test.integrate()
      expect(await check()).to.equal('ok')
    })

    it('is stale when no checkpoint can be signed, and the registry is ready all the same', async () => {
      await test.register()
      await test.integrate()
      const { origin, address } = await test.log()
      const name = address.split('/').at(-1)
      await test.registry.close()
      writeFileSync(
        join(folder, `log-${name}.checkpoint`),
        checkpointText({ origin, size: 1000, root: Buffer.alloc(32) }),
      )
      test = await loggingRegistry(test.database, { key: LOG_KEY, folder })
      expect(await test.registry.readiness()).to.deep.include({ ready: true })
      expect(await check()).to.equal('stale')
      expect((await report()).halted).to.include({ reason: 'databaseOlder' })
    })

    it('is stale when it cannot be read, and the registry is ready all the same', async () => {
      await test.registry.get(Database).query.schema.dropTable('registry_log_pending')
      expect(await test.registry.readiness()).to.deep.include({ ready: true })
      expect(await check()).to.equal('stale')
    })

    it('is fine where none is kept', async () => {
      await test.registry.close()
      test = await loggingRegistry(test.database, 'off')
      expect(await check()).to.equal('ok')
      expect(await report()).to.include({ isOn: false, log: undefined, halted: undefined })
    })
  })
})
