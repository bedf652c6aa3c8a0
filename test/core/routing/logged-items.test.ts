import { createHash } from 'node:crypto'
import { readLogProof } from '@signed-registry/verifier/log'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { LogWorker } from '#core/log/log-worker.js'
import { ProveEntry } from '#core/log/prove-entry.js'
import { forEachDatabase } from '../../support/databases.js'
import { keptLog } from '../../support/log/kept-log.js'
import { RECEIVER, type RoutingTest, routingTest, SENDER } from '../../support/routing.js'

describe('the log of deliveries, decisions and recalls', () => {
  forEachDatabase((open) => {
    let test: RoutingTest
    before(async () => {
      test = await routingTest(open, keptLog)
    })
    after(() => test.registry.close())

    const proved = async (kind: 'delivery' | 'decision' | 'recall', itemId: string) => {
      await test.registry.get(LogWorker).run()
      return test.registry.get(ProveEntry).of(kind, itemId)
    }
    const textOf = async (kind: 'delivery' | 'decision' | 'recall', itemId: string) => {
      const entry = await proved(kind, itemId)
      if (entry.state !== 'logged') throw new Error(`It is ${entry.state}`)
      return Buffer.from(readLogProof(entry.proof).extra ?? [])
        .subarray(32)
        .toString()
    }
    const now = () => new Date(test.clock.time).toISOString()

    it('has a delivery, and neither a sending nor a failure', async () => {
      const { packageId, documentsIds } = await test.register({ count: 1 })
      const itemId = await test.sendPackage(packageId)
      const sentAt = now()
      expect(await proved('delivery', itemId)).to.deep.equal({ state: 'absent' })
      test.clock.time += 5000
      await test.fix(documentsIds[0] ?? '')
      expect(await textOf('delivery', itemId)).to.equal(
        [
          'delivery',
          `itemId ${itemId}`,
          'documentId none',
          `packageId ${packageId}`,
          `sender ${SENDER}`,
          `receiver ${RECEIVER}`,
          `sentAt ${sentAt}`,
          `deliveredAt ${now()}`,
          '',
        ].join('\n'),
      )
    })

    it('names the document of a delivery', async () => {
      const { documentsIds } = await test.complete({ count: 1 })
      const text = await textOf('delivery', await test.sendDocument(documentsIds[0] ?? ''))
      expect(text).to.contain(`\ndocumentId ${documentsIds[0]}\npackageId none\n`)
    })

    it('has a decision with the hash of its comment; comments before and the decision leave the delivery as it was', async () => {
      const itemId = await test.sent()
      const delivery = await textOf('delivery', itemId)
      await test.comment(itemId, 'please')
      await test.answer(itemId, { comment: 'why?' })
      expect(await proved('decision', itemId)).to.deep.equal({ state: 'absent' })
      test.clock.time += 5000
      await test.answer(itemId, { status: 'denied', comment: 'Жоқ 🙁' })
      expect(await textOf('decision', itemId)).to.equal(
        [
          'decision',
          `itemId ${itemId}`,
          'status denied',
          `author ${RECEIVER}`,
          `decidedAt ${now()}`,
          `comment ${createHash('sha256').update('Жоқ 🙁').digest('hex')}`,
          '',
        ].join('\n'),
      )
      expect(await textOf('delivery', itemId)).to.equal(delivery)
    })

    it('has a decision without a comment', async () => {
      const itemId = await test.sent()
      await test.answer(itemId, { status: 'accepted' })
      expect(await textOf('decision', itemId)).to.match(/\nstatus accepted\n.*\ncomment none\n$/s)
    })

    it('has a recall of what was delivered, which leaves the delivery as it was', async () => {
      const itemId = await test.sent()
      const delivery = await textOf('delivery', itemId)
      test.clock.time += 5000
      await test.recall(itemId, 'the wrong file')
      expect(await textOf('recall', itemId)).to.equal(
        ['recall', `itemId ${itemId}`, `author ${SENDER}`, `recalledAt ${now()}`, ''].join('\n'),
      )
      expect(await textOf('delivery', itemId)).to.equal(delivery)
      expect(await proved('decision', itemId)).to.deep.equal({ state: 'absent' })
    })

    it('has no recall of what was never delivered', async () => {
      const { packageId } = await test.register({ count: 1 })
      const itemId = await test.sendPackage(packageId)
      await test.recall(itemId)
      expect(await proved('recall', itemId)).to.deep.equal({ state: 'absent' })
    })

    it('tells that a recall is not what was logged', async () => {
      const itemId = await test.sent()
      await test.recall(itemId)
      expect(await proved('recall', itemId)).to.include({ state: 'logged' })
      const item = test.registry.get(Database).query('registry_routing_items').where({ id: itemId })
      for (const [told, other] of [
        [{ failed_at: test.clock.time }, { failed_at: test.clock.time - 1 }],
        [{ failure: 'recalled' }, { failure: 'notCompletedInTime' }],
      ]) {
        await item.clone().update(other)
        expect(await proved('recall', itemId)).to.deep.equal({ state: 'changed' })
        await item.clone().update(told)
        expect(await proved('recall', itemId)).to.include({ state: 'logged' })
      }
    })

    it('tells that a delivery or a decision is not what was logged', async () => {
      const itemId = await test.sent()
      await test.answer(itemId, { status: 'accepted', comment: 'yes' })
      expect(await proved('decision', itemId)).to.include({ state: 'logged' })
      const { query } = test.registry.get(Database)
      const comment = query('registry_routing_comments').where({ item_id: itemId })
      for (const [told, other] of [
        [{ value: 'yes' }, { value: 'no' }],
        [{ status: 'accepted' }, { status: null }],
      ]) {
        await comment.clone().update(other)
        expect(await proved('decision', itemId)).to.deep.equal({ state: 'changed' })
        await comment.clone().update(told)
        expect(await proved('decision', itemId)).to.include({ state: 'logged' })
      }
      const item = query('registry_routing_items').where({ id: itemId })
      for (const [told, other] of [
        [{ receiver: RECEIVER }, { receiver: 'BIN123456789023' }],
        [{ subject_kind: 'package' }, { subject_kind: 'document' }],
        [{ delivered_at: test.clock.time }, { delivered_at: test.clock.time - 1 }],
      ]) {
        await item.clone().update(other)
        expect(await proved('delivery', itemId)).to.deep.equal({ state: 'changed' })
        await item.clone().update(told)
        expect(await proved('delivery', itemId)).to.include({ state: 'logged' })
      }
    })

    it('is not written where the registry keeps none', async () => {
      const without = await routingTest(open, { log: 'off' })
      await without.answer(await without.sent(), { status: 'accepted' })
      expect(await without.registry.get(Database).query('registry_log_pending').select('id')).to.deep.equal([])
      await without.registry.close()
    })
  })
})
