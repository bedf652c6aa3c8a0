import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openAdministration } from '@signed-registry/core'
import { checkpointText } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { LogState } from '#core/log/log-state.js'
import { forEachDatabase } from '../../support/databases.js'
import { type LoggingRegistry, loggingRegistry } from '../../support/log/logging-registry.js'
import { LOG_KEY } from '../../support/log-key.js'

describe('a log that was signed and is not in the database', () => {
  forEachDatabase((open) => {
    let folder: string
    const opened: LoggingRegistry[] = []
    beforeEach(() => {
      folder = mkdtempSync(join(tmpdir(), 'registry-lost-logs-'))
    })
    afterEach(async () => {
      for (const { registry } of opened.splice(0)) await registry.close()
      rmSync(folder, { recursive: true, force: true })
    })

    const options = (more: object) => ({ key: LOG_KEY, folder, ...more })
    const start = async (database: string, more: object = {}) => {
      const host = await loggingRegistry(database, options(more))
      opened.push(host)
      return host
    }
    const signed = async (host: LoggingRegistry) => {
      await host.register()
      await host.integrate()
      return host.checkpoint()
    }
    const halted = async (host: LoggingRegistry) =>
      (await host.registry.get(LogState).report()).halted?.reason ?? 'none'
    const resume = async (database: string, more: object = {}) => {
      const administration = await openAdministration({ database, log: options(more) })
      return administration.log.resume().finally(() => administration.close())
    }
    const refusal = (work: Promise<unknown>) => work.then(() => '', String)
    const mark = (name: string, text: string) => writeFileSync(join(folder, `log-${name}.checkpoint`), text)

    for (const [named, more, reason] of [
      ['of a configured name', { origin: 'registry.example/log' }, 'databaseOlder'],
      ['of a random name', {}, 'foreignMark'],
    ] as const)
      it(`keeps an empty database from signing, until a log of another name follows the one ${named}`, async () => {
        const before = await signed(await start(await open(), more))
        const database = await open()
        const host = await start(database, more)
        await host.register()
        await host.integrate()
        expect(await halted(host)).to.equal(reason)
        const unsigned = await host.log()
        expect(unsigned).to.not.have.property('checkpoint')
        expect(unsigned.origin).to.not.equal(before.origin)

        const { ended, origin, size } = await resume(database, more)
        expect({ ended, size }).to.deep.equal({ ended: before.origin, size: before.size })
        await host.integrate()
        expect(await halted(host)).to.equal('none')
        const after = await host.checkpoint()
        expect(after.origin).to.equal(origin).and.not.equal(before.origin)
        const entries = await host.publicEntries(2, after)
        expect(entries.filter(({ kind }) => kind === 'succession')).to.deep.equal([
          { kind: 'succession', origin: before.origin, size: before.size, root: before.root },
        ])
        expect((await host.log()).earlier.map((one) => one.origin)).to.deep.equal([unsigned.origin, before.origin])
        expect((await signed(await start(database, more))).size).to.be.greaterThan(after.size)
      })

    it('stops all hosts once one of them misses it', async () => {
      const database = await open()
      const other = await start(database, { folder: join(folder, 'other') })
      const before = await signed(other)
      mark('00112233445566ff', checkpointText({ origin: `${before.origin}/1`, size: 9, root: Buffer.alloc(32, 7) }))
      await (await start(database)).integrate()
      await other.register()
      await other.integrate()
      expect(await halted(other)).to.equal('databaseOlder')
      expect((await other.registry.get(LogState).report()).checkpoint?.size).to.equal(before.size)
    })

    it('stops its own host alone where it is of another registry, until its mark is moved away', async () => {
      const database = await open()
      const other = await start(database, { folder: join(folder, 'other') })
      await signed(other)
      const foreign = 'log-00112233445566ff.checkpoint'
      mark('00112233445566ff', checkpointText({ origin: 'other.example/log', size: 9, root: Buffer.alloc(32, 7) }))
      const host = await start(database)
      await host.integrate()
      expect(await halted(host)).to.equal('foreignMark')
      expect(await halted(other)).to.equal('none')
      expect((await signed(other)).size).to.be.greaterThan(0)
      rmSync(join(folder, foreign))
      expect(await halted(host)).to.equal('none')
    })

    it('leaves the configured name to a registry that begins beside a mark of another one', async () => {
      mark('00112233445566ff', checkpointText({ origin: 'other.example/log', size: 9, root: Buffer.alloc(32, 7) }))
      const host = await start(await open(), { origin: 'registry.example/log' })
      await host.integrate()
      expect((await host.log()).origin).to.equal('registry.example/log')
      expect(await halted(host)).to.equal('foreignMark')
    })

    it('is named after the log that it had succeeded, each by its last checkpoint', async () => {
      const database = await open()
      const host = await start(database)
      const { origin, size, root } = await signed(host)
      const lost = { origin: `${origin}/later`, size: 9, root: Buffer.alloc(32, 7) }
      mark('00112233445566ff', checkpointText(lost))
      await host.register()
      await host.integrate()
      expect(await halted(host)).to.equal('databaseOlder')
      expect(await resume(database)).to.include({ ended: origin, size })
      await host.integrate()
      const entries = await host.publicEntries(2, await host.checkpoint())
      expect(entries.filter(({ kind }) => kind === 'succession')).to.deep.equal([
        { kind: 'succession', origin, size, root },
        { kind: 'succession', ...lost },
      ])
      expect(await refusal(resume(database))).to.include('The log can be signed')
    })

    it('has to be readable before another one follows it', async () => {
      const database = await open()
      const host = await start(database)
      await signed(host)
      mark('00112233445566ff', 'torn')
      expect(await halted(host)).to.equal('markUnreadable')
      await host.registry.get(Database).query('registry_logs').update({ halted: 'databaseOlder' })
      expect(await refusal(resume(database))).to.include('log-00112233445566ff.checkpoint cannot be read')
      expect((await host.log()).earlier).to.deep.equal([])
    })

    it('is no other file of the folder, and none of a registry that has begun no log', async () => {
      const database = await open()
      const host = await start(database)
      expect(await refusal(resume(database))).to.include('This registry has not begun a log yet')
      await signed(host)
      const [own = ''] = readdirSync(folder)
      for (const name of [
        `${own}.0011`,
        `copy of ${own}`,
        'log-copy.checkpoint',
        'witnessed-00112233445566ff.checkpoint',
      ])
        writeFileSync(join(folder, name), 'any')
      expect(await halted(host)).to.equal('none')
    })
  })
})
