import { openAdministration } from '@signed-registry/core'
import { GetLog } from '@signed-registry/core/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { IntegrateEntries } from '#core/log/integrate-entries.js'
import { LogState } from '#core/log/log-state.js'
import { LogStore } from '#core/log/log-store.js'
import type { ReadAddCheckpoint } from '#verifier/log/witness.js'
import { forEachDatabase } from '../../support/databases.js'
import { type FakeWitness, policyOf } from '../../support/log/fake-witness.js'
import { WITNESSED_ORIGIN, WITNESSED_PEM, witnessedLogs } from '../../support/log/witnessed-logs.js'
import type { TestRegistry } from '../../support/registry.js'

const MINUTE = 60_000

describe('a log that a witness objects to is signed', () => {
  forEachDatabase((open) => {
    const { witnessAt, start, work, register, grow, published, cosigners, pass } = witnessedLogs(open)

    it('no more once a witness has cosigned a larger tree, also after a restart: the database was restored', async () => {
      const [ahead, other] = [await witnessAt(11), await witnessAt(12)]
      const test = await start([ahead, other])
      await grow(test)
      const before = await published(test)
      ahead.latest = { size: 99_999, root: Buffer.alloc(32) }
      await grow(test)
      await grow(test)
      expect((await published(test))?.note).to.equal(before?.note)
      expect(test.logger.about(/not signed/)).to.have.length(1)
      expect(test.logger.about(/not signed/)[0]).to.include({ reason: 'witnessAhead' })
      await test.close()

      const again = await start([ahead, other], { database: test.url })
      const { length } = other.asked
      await grow(again)
      expect((await published(again))?.note).to.equal(before?.note)
      expect(other.asked).to.have.length(length)
      expect(again.logger.about(/not signed/)[0]).to.include({ reason: 'witnessAhead' })
      await again.close()

      const without = await start([other], { database: test.url })
      await grow(without)
      expect((await published(without))?.size).to.be.greaterThan(before?.size ?? 0)
    })

    it('no more once a witness has cosigned another tree', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await grow(test)
      const before = await published(test)
      witness.latest = { size: before?.size ?? 0, root: Buffer.alloc(32) }
      await grow(test)
      expect((await published(test))?.note).to.equal(before?.note)
      expect(test.logger.about(/not signed/)[0]).to.include({ reason: 'witnessDisagrees' })
    })

    for (const grown of [1, 2, 3])
      for (const more of [0, 1])
        it(`no more once a witness has cosigned another tree: that of ${grown} rounds, seen ${more} later`, async () => {
          const witness = await witnessAt(11)
          const test = await start([witness])
          for (let at = 0; at < grown; at += 1) await grow(test)
          const before = witness.latest
          if (more > 0) await grow(test)
          witness.latest = { size: before?.size ?? 0, root: Buffer.alloc(32) }
          await test.close()
          const again = await start([witness], { database: test.url })
          await work(again)
          expect((await again.registry.get(LogState).report()).halted?.reason).to.equal('witnessDisagrees')
        })

    const gateways: Readonly<Record<string, (asked: ReadAddCheckpoint, isFirst: boolean) => boolean>> = {
      'refuses everything': () => true,
      'refuses what has a proof': ({ proof }) => proof.length > 0,
      'refuses once': (_asked, isFirst) => isFirst,
    }
    for (const [what, isRefused] of Object.entries(gateways))
      it(`although a gateway before a witness ${what} with 422`, async () => {
        const witness = await witnessAt(11)
        const test = await start([witness])
        for (let at = 0; at < 3; at += 1) await grow(test)
        const before = await published(test)
        const { length } = witness.asked
        witness.answer = (asked, response) =>
          isRefused(asked, witness.asked.length === length + 1)
            ? response.writeHead(422).end('<html>')
            : witness.honest(asked, response)
        await grow(test)
        expect((await published(test))?.size).to.be.greaterThan(before?.size ?? 0)
        expect(test.logger.about(/not signed/)).to.deep.equal([])
        const [row] = await test.registry.get(Database).query('registry_log_witnesses').select()
        expect(row.objection).to.equal(null)
        expect(row.failure).to.equal(what === 'refuses once' ? null : 'status422')
      })

    /** Something on the way that answers for a larger tree so many times, whatever the witness says, which hears all. */
    const lies = (witness: FakeWitness, times: number) => {
      const until = witness.asked.length + times
      witness.answer = (asked, response) => {
        if (witness.asked.length > until) return witness.honest(asked, response)
        witness.latest = asked.checkpoint
        witness.conflict(99_999, response)
      }
    }
    const halted = async ({ registry }: Pick<TestRegistry, 'registry'>) =>
      (await registry.get(LogState).report()).halted?.reason

    it('although a larger tree is told of once, if the witness does not say so again', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await grow(test)
      const before = await published(test)
      lies(witness, 1)
      await grow(test)
      expect((await published(test))?.size).to.be.greaterThan(before?.size ?? 0)
      expect(await cosigners(test, witness)).to.deep.equal(['w11'])
      expect(test.logger.said).to.deep.equal([])
    })

    it('again once a witness that told of a larger tree tells a size that the log has, which it is asked after five minutes', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await grow(test)
      const before = await published(test)
      lies(witness, 2)
      await grow(test)
      expect(await halted(test)).to.equal('witnessAhead')
      await work(test)
      expect(await halted(test)).to.equal('witnessAhead')
      pass(5 * MINUTE)
      await work(test)
      await work(test)
      expect(await halted(test)).to.equal(undefined)
      expect((await published(test))?.size).to.be.greaterThan(before?.size ?? 0)
      expect(await cosigners(test, witness)).to.deep.equal(['w11'])
    })

    it('no more once a witness has told of a larger tree and then says nothing', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await grow(test)
      const before = await published(test)
      witness.answer = (_asked, response) => {
        witness.answer = (_again, none) => none.destroy()
        witness.conflict(99_999, response)
      }
      await grow(test)
      expect(await halted(test)).to.equal('witnessAhead')
      expect((await published(test))?.note).to.equal(before?.note)
    })

    it('no more once the log is as large as the witness tells, and another tree', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await grow(test)
      const { size = 0 } = (await published(test)) ?? {}
      witness.latest = { size: size + 3, root: Buffer.alloc(32, 1) }
      await grow(test)
      expect(await halted(test)).to.equal('witnessAhead')
      const before = await published(test)
      for (let grown = 0; grown < 3; grown += 1) await register(test)
      const log = await test.registry.get(LogStore).begin()
      await test.registry.get(IntegrateEntries).run(log, log)
      pass(5 * MINUTE)
      await work(test)
      expect(await halted(test)).to.equal(undefined)
      await work(test)
      expect(await halted(test)).to.equal('witnessDisagrees')
      expect((await published(test))?.note).to.equal(before?.note)
    })

    it('again once a witness that objected cosigns the log, which it is asked for every five minutes', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await grow(test)
      const first = witness.latest
      const other = { size: first?.size ?? 0, root: Buffer.alloc(32) }
      witness.latest = other
      await grow(test)
      const { length } = witness.asked
      for (let minutes = 0; minutes < 20; minutes += 0.5) {
        pass(MINUTE / 2)
        // That the database has grown as large meanwhile is no agreement.
        witness.latest = { ...other, size: other.size + (minutes > 10 ? 1 : 0) }
        await work(test)
      }
      // Each time 0 and then, of the tree that is published, what the witness told, something else, and the same again.
      expect(witness.asked.slice(length).map(({ oldSize }) => oldSize)).to.deep.equal([0, 1, 0, 1, 0, 1, 0, 1, 0, 0])
      expect((await published(test))?.size).to.equal(first?.size)
      expect(test.logger.about(/not in the database/)).to.have.length(1)
      witness.latest = first
      pass(5 * MINUTE)
      await work(test)
      await work(test)
      expect((await published(test))?.size).to.be.greaterThan(first?.size ?? 0)
      expect(await cosigners(test, witness)).to.deep.equal(['w11'])
    })

    it('again in another log, which an operator begins', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await grow(test)
      witness.latest = { size: 99_999, root: Buffer.alloc(32) }
      await grow(test)
      await test.close()
      const log = { key: WITNESSED_PEM, origin: WITNESSED_ORIGIN, witnesses: policyOf(witness) }
      const administration = await openAdministration({ database: test.url, log, clock: test.clock })
      expect((await administration.log.report()).halted?.reason).to.equal('witnessAhead')
      expect(await administration.log.resume()).to.include({ ended: WITNESSED_ORIGIN })
      await administration.close()
      const again = await start([witness], { database: test.url })
      await grow(again)
      const { origin: begun, size } = await again.registry.get(GetLog).execute()
      expect(begun).not.to.equal(WITNESSED_ORIGIN)
      expect(size).to.be.greaterThan(0)
    })

    it('only after the witnesses were asked at the start: a database that was restored signs nothing', async () => {
      const witness = await witnessAt(11)
      const test = await start([witness])
      await grow(test)
      const before = await published(test)
      await test.close()
      witness.latest = { size: (before?.size ?? 0) + 50, root: Buffer.alloc(32) }
      const { length } = witness.asked
      const restored = await start([witness], { database: test.url })
      await grow(restored)
      expect((await published(restored))?.note).to.equal(before?.note)
      expect(witness.asked.slice(length).map(({ checkpoint }) => checkpoint.size)).to.deep.equal([
        before?.size,
        before?.size,
      ])
    })

    it('only after the witnesses were asked about a log that begins: one that they know signs nothing but the empty tree', async () => {
      const witness = await witnessAt(11)
      witness.latest = { size: 7, root: Buffer.alloc(32) }
      const test = await start([witness])
      await grow(test)
      expect(await published(test)).to.equal(undefined)
      expect(witness.asked.map(({ checkpoint }) => checkpoint.size)).to.deep.equal([0, 0])
    })
  })
})
