import { createPrivateKey } from 'node:crypto'
import { Clock, openAdministration } from '@signed-registry/core'
import { openCheckpoint } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { ChangeLogKey } from '#core/log/change-log-key.js'
import { CheckpointStore } from '#core/log/checkpoint-store.js'
import { HighWaterMark } from '#core/log/high-water-mark.js'
import { IntegrateEntries } from '#core/log/integrate-entries.js'
import { KeyChangeStore } from '#core/log/key-change-store.js'
import { LogEntries } from '#core/log/log-entries.js'
import { LogSettings } from '#core/log/log-settings.js'
import { LogStore } from '#core/log/log-store.js'
import { PublishCheckpoint } from '#core/log/publish-checkpoint.js'
import { forEachDatabase } from '../../support/databases.js'
import { type LoggingRegistry, loggingRegistry } from '../../support/log/logging-registry.js'
import { LOG_KEY, newLogKey } from '../../support/log-key.js'

const ANOTHER = /^TypeError: Another command changes the key of the log just now/
const REFUSED = /^TypeError: (Another command changes the key|The key of the log cannot be changed)/

describe('two commands that change the key of the log at once', () => {
  forEachDatabase((open) => {
    let database: string
    let test: LoggingRegistry
    let firstKey: string
    beforeEach(async () => {
      database = await open()
      test = await loggingRegistry(database, { key: LOG_KEY })
      await test.register()
      await test.integrate()
      firstKey = (await test.log()).verifierKey ?? ''
    })
    afterEach(() => test.registry.close())

    const change = async () => {
      const administration = await openAdministration({ database, log: { key: LOG_KEY } })
      return administration.log.changeKey(newLogKey()).finally(() => administration.close())
    }
    /** Another command, in the process of the test, so that something can be done between its steps. */
    const slowly = () => {
      const { registry } = test
      const command = new ChangeLogKey({
        database: registry.get(Database),
        settings: registry.get(LogSettings),
        logs: registry.get(LogStore),
        entries: registry.get(LogEntries),
        integrate: registry.get(IntegrateEntries),
        publish: registry.get(PublishCheckpoint),
        checkpoints: registry.get(CheckpointStore),
        changes: registry.get(KeyChangeStore),
        marks: registry.get(HighWaterMark),
        clock: registry.get(Clock),
      })
      return command.run(createPrivateKey(newLogKey())).then(() => 'changed', String)
    }
    /** From the first key on, each change is a checkpoint that both the former and the next key signed. */
    const expectChain = async (length: number) => {
      const { keyChanges, verifierKey = '' } = await test.log()
      const keys = [firstKey, ...keyChanges.slice(1).map(({ formerKey }) => formerKey), verifierKey]
      expect(keyChanges).to.have.length(length)
      for (const [at, { checkpoint, formerKey }] of keyChanges.entries()) {
        expect(formerKey).to.equal(keys[at])
        openCheckpoint(checkpoint, formerKey)
        openCheckpoint(checkpoint, keys[at + 1] ?? '')
      }
    }

    it('leave it changed by one of them', async () => {
      const outcomes = await Promise.allSettled([change(), change(), change()])
      const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [String(one.reason)] : []))
      expect(refused).to.have.length(2)
      for (const reason of refused) expect(reason).to.match(REFUSED)
      await expectChain(1)
    })

    /** Does something once, after a command has read the log and before it announces its key. */
    const beforeItAnnounces = (other: () => Promise<unknown>) => {
      const entries = test.registry.get(LogEntries)
      const find = entries.find.bind(entries)
      entries.find = async (...asked) => {
        entries.find = find
        await other()
        return find(...asked)
      }
    }
    /** As another command does that is interrupted then. */
    const announce = () => test.registry.get(Database).query('registry_logs').update({ next_key: 'announced' })

    it('change nothing where another host finds meanwhile that the database is older', async () => {
      beforeItAnnounces(() => test.registry.get(Database).query('registry_logs').update({ halted: 'databaseOlder' }))
      expect(await slowly()).to.equal('TypeError: The tree of the log is not as it was signed')
      expect((await test.log()).keyChanges).to.deep.equal([])
    })

    it('leave it to the one that ended before the other announced its key', async () => {
      beforeItAnnounces(change)
      expect(await slowly()).to.match(ANOTHER)
      await expectChain(1)
      expect((await test.registry.get(LogStore).current())?.nextKey).to.equal(undefined)
    })

    it('leave it to the one that announced its key first, where the other knew nothing of it', async () => {
      beforeItAnnounces(announce)
      expect(await slowly()).to.match(ANOTHER)
      expect((await test.registry.get(LogStore).current())?.nextKey).to.equal('announced')
    })

    it('leave it to the one that announced its key last', async () => {
      const integrate = test.registry.get(IntegrateEntries)
      const run = integrate.run.bind(integrate)
      integrate.run = async (...asked) => {
        integrate.run = run
        await change()
        return run(...asked)
      }
      expect(await slowly()).to.match(ANOTHER)
      await expectChain(1)
    })

    it('leave it to the one that announced its key last, also where the other one is about to sign', async () => {
      const marks = test.registry.get(HighWaterMark)
      const raise = marks.raise.bind(marks)
      marks.raise = async (...asked) => {
        marks.raise = raise
        await announce()
        return raise(...asked)
      }
      expect(await slowly()).to.match(ANOTHER)
      await expectChain(0)
      expect(await test.registry.get(LogStore).current()).to.include({ verifierKey: firstKey, nextKey: 'announced' })
      expect(await change()).to.include({ formerKey: firstKey })
      await expectChain(1)
    })
  })
})
