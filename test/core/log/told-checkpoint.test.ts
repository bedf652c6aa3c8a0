import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { checkpointText } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { AskWitnesses } from '#core/log/ask-witnesses.js'
import { CheckpointStore } from '#core/log/checkpoint-store.js'
import { LogStore } from '#core/log/log-store.js'
import { ProveEntry } from '#core/log/prove-entry.js'
import { ServeLog } from '#core/log/serve-log.js'
import { StandingEntries } from '#core/log/standing-entries.js'
import { forEachDatabase } from '../../support/databases.js'
import { type LoggingRegistry, loggingRegistry } from '../../support/log/logging-registry.js'
import { LOG_KEY } from '../../support/log-key.js'
import { STATEMENT_KEY } from '../../support/statement-key.js'

const HOUR_MS = 60 * 60_000
const noStamps = { url: 'http://tsa.invalid/', timestamp: () => Promise.reject(new Error('The authority is down')) }

describe('the newest checkpoint of a log', () => {
  forEachDatabase((open) => {
    let root: string
    let database: string
    const opened: LoggingRegistry[] = []
    beforeEach(async () => {
      root = mkdtempSync(join(tmpdir(), 'registry-told-'))
      database = await open()
    })
    afterEach(async () => {
      for (const { registry } of opened.splice(0)) await registry.close()
      rmSync(root, { recursive: true, force: true })
    })

    const start = async (log: Parameters<typeof loggingRegistry>[1] = { key: LOG_KEY }) => {
      const host = await loggingRegistry(database, log, { statementKey: STATEMENT_KEY })
      opened.push(host)
      return host
    }
    const nameOf = async (host: LoggingRegistry) => (await host.log()).address.split('/').at(-1) ?? ''
    const sizes = (host: LoggingRegistry): Promise<number[]> =>
      host.registry.get(Database).query('registry_log_checkpoints').orderBy('size').pluck('size')

    const refusal = async (host: LoggingRegistry) =>
      host.registry
        .get(ServeLog)
        .checkpoint(await nameOf(host))
        .catch((error: unknown) => error)

    it('stays, with the last of each hour, where no authority stamps any', async () => {
      const host = await start({ key: LOG_KEY, timestamps: noStamps })
      host.clock.time = Math.ceil(host.clock.time / HOUR_MS) * HOUR_MS
      const signIds: number[] = []
      const published: number[] = []
      // At 0:01, 0:02, 0:30, 1:01 and 1:02.
      for (const minutes of [1, 1, 28, 31, 1]) {
        host.clock.time += minutes * 60_000
        signIds.push((await host.register()).signId)
        await host.integrate().catch(() => undefined)
        published.push((await host.log()).size)
      }
      const [, , third, , fifth] = published
      await host.registry.get(CheckpointStore).thin(0, host.clock.time + HOUR_MS)
      expect(await sizes(host)).to.deep.equal([third, fifth])
      expect((await host.log()).size).to.equal(fifth)
      for (const signId of signIds)
        expect(await host.registry.get(ProveEntry).of('signature', `${signId}`)).to.include({ state: 'logged' })
    })

    it('is told by no host that knows of a larger one, from its start', async () => {
      const signs = await start()
      await signs.register()
      await signs.integrate()
      const { origin, size } = await signs.log()
      const folder = join(root, 'marks')
      mkdirSync(folder)
      const text = checkpointText({ origin, size: size + 1, root: Buffer.alloc(32, 7) })
      writeFileSync(join(folder, `log-${await nameOf(signs)}.checkpoint`), text)

      // Also by one that keeps no log any more.
      for (const options of [
        { key: LOG_KEY, folder },
        { isOn: false, folder },
      ]) {
        const knows = await start(options)
        expect(await knows.log())
          .to.include({ origin, size: 0 })
          .and.not.have.property('checkpoint')
        expect(await refusal(knows)).to.include({ code: 'logUnreadable' })
      }
    })

    it('is told by no host that knows of a log which succeeded it, from its start', async () => {
      const signs = await start()
      await signs.register()
      await signs.integrate()
      const folder = join(root, 'marks')
      mkdirSync(folder)
      const text = checkpointText({ origin: 'registry.example/log/later', size: 1, root: Buffer.alloc(32, 7) })
      writeFileSync(join(folder, 'log-00112233445566ff.checkpoint'), text)
      const knows = await start({ key: LOG_KEY, folder })
      expect(await knows.log()).to.not.have.property('checkpoint')
      expect(await refusal(knows)).to.include({ code: 'logUnreadable' })
    })

    it('is never one that was signed while another log succeeded it', async () => {
      const host = await start()
      await host.register()
      await host.integrate()
      const before = await sizes(host)
      await host.register()
      const { registry } = host
      const witnesses = registry.get(AskWitnesses)
      const cosigned = witnesses.cosigned.bind(witnesses)
      witnesses.cosigned = async (asked, how) => {
        const log = await registry.get(LogStore).begin()
        await registry.get(LogStore).moveOn(log, { endedAt: host.clock.time })
        return cosigned(asked, how)
      }
      await host.integrate()
      expect((await registry.get(LogStore).at(0))?.endedAt).to.equal(host.clock.time)
      expect(await sizes(host)).to.deep.equal(before)
    })

    it('is not given up because of an older state that a lagging database showed', async () => {
      const host = await start()
      const logs = host.registry.get(LogStore)
      const stale = await logs.begin()
      await host.register()
      await host.integrate()
      await logs.halt(stale, 'databaseOlder')
      expect(await logs.at(0)).to.include({ halted: undefined })
      await logs.halt(await logs.begin(), 'databaseOlder')
      expect(await logs.at(0)).to.include({ halted: 'databaseOlder' })
    })

    it('covers the keys of the registry once, by however many hosts that start together', async () => {
      const hosts = await Promise.all([start(), start(), start()])
      const log = await hosts[0].registry.get(LogStore).begin()
      await Promise.all(hosts.map(({ registry }) => registry.get(StandingEntries).add(log)))
      const refs: string[] = await hosts[0].registry.get(Database).query('registry_log_pending').pluck('ref')
      expect(refs).to.have.lengthOf.at.least(1)
      expect(new Set(refs).size).to.equal(refs.length)
    })
  })
})
