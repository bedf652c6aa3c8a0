import { RegisterPackage } from '@signed-registry/core/packages'
import { SendPackage } from '@signed-registry/core/routing'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { PartyNames } from '#core/parties/index.js'
import { forEachDatabase } from '../../support/databases.js'
import { UNTITLED } from '../../support/packages.js'
import { rejectionOf } from '../../support/refusal.js'
import {
  clerk,
  PERSON,
  person,
  RECEIVER,
  type RoutingTest,
  receiver,
  routingTest,
  SENDER,
  sender,
} from '../../support/routing.js'

describe('searchQuery of GET /api/incoming and GET /api/outgoing', () => {
  forEachDatabase((open) => {
    let test: RoutingTest
    beforeEach(async () => {
      test = await routingTest(open, { limits: { itemsPerPage: 3, searchedItems: 8 } })
      await test.registry.get(Database).transaction(async () => {
        const subject = (value: string) => [[{ oid: '2.5.4.10', name: 'O', value, valueInB64: false }]]
        const names = test.registry.get(PartyNames)
        await names.remember({ userId: sender.iin, businessId: SENDER, subjectStructure: subject('Seller LLP') }, 1)
        await names.remember(
          { userId: receiver.iin, businessId: RECEIVER, subjectStructure: subject('ТОО Покупатель') },
          1,
        )
      })
    })
    afterEach(() => test.registry.close())

    /** Sends a package with a title; later than what was sent before. */
    const sent = async (title: string, to = RECEIVER, isPrivate = false) => {
      test.clock.time += 1
      const { packageId, documentsIds } = await test.registry.get(RegisterPackage).execute(sender, {
        request: { ...UNTITLED, title, settings: { private: isPrivate }, documents: [UNTITLED] },
      })
      for (const id of documentsIds) await test.fix(id)
      return (await test.registry.get(SendPackage).execute(sender, { packageId, request: { to } })).outgoingId
    }
    const incoming = async (searchQuery: string, until?: number) => {
      const { items, incomingTotal } = await test.listIncoming(receiver, { searchQuery, ...(until && { until }) })
      return { ids: items.map(({ incomingId }) => incomingId), total: incomingTotal, last: items.at(-1)?.sentAt }
    }
    const outgoing = async (searchQuery: string) =>
      (await test.listOutgoing(sender, { searchQuery })).items.map(({ outgoingId }) => outgoingId)

    it('finds words of the title, in any case and order', async () => {
      const contract = await sent('Договор поставки № 7')
      await sent('Акт сверки')
      expect((await incoming('ПОСТАВКИ договор')).ids).to.deep.equal([contract])
      expect(await outgoing('догов 7')).to.deep.equal([contract])
      expect((await incoming('договор сверки')).ids).to.deep.equal([])
    })

    it('finds the other party by name, IIN and BIN', async () => {
      const [first, second] = [await sent('A'), await sent('B', PERSON)]
      expect((await incoming('seller')).ids).to.deep.equal([first])
      expect(await outgoing('покупатель')).to.deep.equal([first])
      expect(await outgoing(PERSON.slice(3))).to.deep.equal([second])
      expect(await outgoing('b')).to.deep.equal([second, first])
    })

    it('finds nothing by the name of a person who has not acted, nor by a title that is closed by now', async () => {
      const subject = [[{ oid: '2.5.4.3', name: 'CN', value: 'СЕРИКОВА АЛИЯ', valueInB64: false }]]
      const { registry } = test
      await registry
        .get(Database)
        .transaction(() => registry.get(PartyNames).remember({ userId: PERSON, subjectStructure: subject }, 1))
      const id = await sent('Secret merger', PERSON, true)
      expect(await outgoing('серикова')).to.deep.equal([])
      expect((await test.listIncoming(person, { searchQuery: 'merger' })).items).to.have.length(1)
      await test.recall(id)
      expect((await test.listIncoming(person, { searchQuery: 'merger' })).items).to.deep.equal([])
    })

    it('is read on with until, and counts what it found among the items that it looked at', async () => {
      const ids = []
      for (let n = 0; n < 5; n++) ids.unshift(await sent(`Order ${n}`))
      const first = await incoming('order')
      expect(first).to.deep.include({ ids: ids.slice(0, 3), total: 5 })
      expect((await incoming('order', first.last)).ids).to.deep.equal(ids.slice(3))
    })

    it('is read on with its cursor to the end of the list, also from a page without any', async () => {
      const found = await sent('Paper')
      for (let n = 0; n < 9; n++) await sent('Order')
      const first = await test.listIncoming(receiver, { searchQuery: 'paper' })
      expect(first).to.deep.include({ items: [], incomingTotal: 0 })
      const { searchCursor = '' } = first
      const second = await test.listIncoming(receiver, { searchQuery: 'paper', searchCursor })
      expect(second.items.map(({ incomingId }) => incomingId)).to.deep.equal([found])
      expect(second).to.not.have.property('searchCursor')
      expect(await test.listOutgoing(sender, { searchQuery: 'paper' })).to.deep.include({ items: [], searchCursor })
    })

    it('asks for nothing where it is blank', async () => {
      const ids = [await sent('A'), await sent('B')].reverse()
      expect((await incoming(' ')).ids).to.deep.equal(ids)
    })

    it('is refused where it is too long, where its cursor is none or has no query, and to who may not see the list', async () => {
      for (const attempt of [incoming('x'.repeat(256)), outgoing('x'.repeat(256))])
        expect((await rejectionOf(attempt)).code).to.equal('requestFieldTooLarge')
      for (const query of [{ searchQuery: 'order', searchCursor: 'x' }, { searchCursor: 'p0.5' }])
        expect((await rejectionOf(test.listIncoming(receiver, query))).code).to.equal('invalidQueryParameter')
      expect((await rejectionOf(test.listIncoming(clerk, { searchQuery: 'order' }))).code).to.equal('accessDenied')
    })
  })
})
