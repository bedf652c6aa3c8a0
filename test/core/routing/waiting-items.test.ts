import { expect } from 'chai'
import { FailOverdueItems } from '#core/routing/waiting-items.js'
import { forEachDatabase } from '../../support/databases.js'
import { eventsOf } from '../../support/events.js'
import { rejectionOf } from '../../support/refusal.js'
import { type RoutingTest, routingTest } from '../../support/routing.js'

const DAY = 24 * 60 * 60 * 1000

describe('items that are not completed in time', () => {
  forEachDatabase((open) => {
    let test: RoutingTest
    beforeEach(async () => {
      test = await routingTest(open)
    })
    afterEach(() => test.registry.close())
    const sweep = () => test.registry.get(FailOverdueItems).run()

    it('fail after 24 hours, and say why', async () => {
      const { packageId, documentsIds } = await test.register({ count: 1 })
      const outgoingId = await test.sendPackage(packageId)
      test.clock.time += DAY - 1
      await sweep()
      expect((await test.outgoing(outgoingId)).status).to.equal('sending')
      test.clock.time += 1
      await sweep()
      expect(await test.outgoing(outgoingId)).to.include({ status: 'failed', failure: 'notCompletedInTime' })
      expect(eventsOf(test.registry).at(-1)).to.include({ type: 'itemFailed', itemId: outgoingId })

      expect(await test.fix(documentsIds[0] ?? '')).not.to.have.property('outgoingId')
      expect((await test.outgoing(outgoingId)).status).to.equal('failed')
      expect((await rejectionOf(test.incoming(outgoingId))).code).to.equal('itemNotFound')
      expect((await test.listIncoming()).incomingTotal).to.equal(0)
    })

    it('can be sent again', async () => {
      const { packageId } = await test.register()
      await test.sendPackage(packageId)
      test.clock.time += DAY
      await sweep()
      const again = await test.sendPackage(packageId)
      expect((await test.outgoing(again)).status).to.equal('sending')
      await sweep()
      expect((await test.outgoing(again)).status).to.equal('sending')
    })

    it('fail once when several hosts look for them', async () => {
      const { packageId } = await test.register()
      const outgoingId = await test.sendPackage(packageId)
      test.clock.time += DAY
      await Promise.all([sweep(), sweep(), sweep()])
      const events = eventsOf(test.registry)
      expect(events.filter((event) => event.type === 'itemFailed' && event.itemId === outgoingId)).to.have.length(1)
    })

    it('either fail or are delivered when the last hashes come at that moment', async () => {
      const { packageId, documentsIds } = await test.register({ count: 1 })
      const outgoingId = await test.sendPackage(packageId)
      test.clock.time += DAY
      const [fixed] = await Promise.all([test.fix(documentsIds[0] ?? ''), sweep()])
      const { status } = await test.outgoing(outgoingId)
      expect(status).to.equal(fixed.outgoingId === undefined ? 'failed' : 'new')
      const moves = eventsOf(test.registry).filter(({ type }) => type === 'itemFailed' || type === 'itemDelivered')
      expect(moves).to.have.length(1)
    })

    it('are looked for every minute', () => {
      expect(FailOverdueItems.task.schedule).to.equal('* * * * *')
    })
  })
})
