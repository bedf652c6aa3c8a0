import { anonymous, type Caller } from '@signed-registry/core'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import type { ItemListQuery } from '@signed-registry/core/routing'
import { expect } from 'chai'
import { systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'
import {
  clerk,
  PERSON,
  person,
  RECEIVER,
  type RoutingTest,
  receiver,
  routingTest,
  sender,
  stranger,
} from '../../support/routing.js'

const nobody = { authorities: [], tlsCertificatesIndices: [], iins: [] }
const codeOf = async (attempt: Promise<unknown>) => (await rejectionOf(attempt)).code

describe('lists of items', () => {
  forEachDatabase((open) => {
    let test: RoutingTest
    beforeEach(async () => {
      test = await routingTest(open, { limits: { itemsPerPage: 2 } })
    })
    afterEach(() => test.registry.close())

    const incomingIds = async (query: ItemListQuery = {}, by: Caller = receiver) =>
      (await test.listIncoming(by, query)).items.map(({ incomingId }) => incomingId)
    const later = async () => {
      test.clock.time += 1000
      return test.sent()
    }

    it('have the newest first, one list for each side', async () => {
      const [first, second] = [await later(), await later()]
      expect(await incomingIds()).to.deep.equal([second, first])
      const outgoing = await test.listOutgoing()
      expect(outgoing.outgoingTotal).to.equal(2)
      expect(outgoing.items.map(({ outgoingId }) => outgoingId)).to.deep.equal([second, first])
      expect(outgoing.items[0]).not.to.have.property('comments')
      expect(await test.listIncoming(sender)).to.deep.equal({ incomingTotal: 0, items: [] })
      expect(await test.listOutgoing(receiver)).to.deep.equal({ outgoingTotal: 0, items: [] })
    })

    it('give pages by until, of whole milliseconds, and end with an empty one', async () => {
      const old = await later()
      const together = [await later(), await test.sent(), await test.sent()]
      const newest = await later()
      const pages: string[][] = []
      for (let until: number = Number.MAX_SAFE_INTEGER; ; ) {
        const { items, incomingTotal } = await test.listIncoming(receiver, { until })
        expect(incomingTotal).to.equal(5 - pages.flat().length)
        if (items.length === 0) break
        pages.push(items.map(({ incomingId }) => incomingId).sort())
        until = items.at(-1)?.sentAt ?? 0
      }
      expect(pages).to.deep.equal([[newest, ...together].sort(), [old]])
    })

    it('end now where no until is given', async () => {
      const early = await later()
      const ahead = await later()
      test.clock.time -= 1000
      expect(await incomingIds()).to.deep.equal([early])
      expect((await test.listOutgoing()).outgoingTotal).to.equal(1)
      expect(await incomingIds({ until: test.clock.now() + 1001 })).to.deep.equal([ahead, early])
      test.clock.time += 1000
      expect(await incomingIds()).to.deep.equal([ahead, early])
    })

    it('lose and repeat nothing while new items arrive', async () => {
      const sent = [await later(), await later(), await later(), await later()]
      const seen: string[] = []
      for (let until: number = Number.MAX_SAFE_INTEGER; ; ) {
        const { items } = await test.listIncoming(receiver, { until })
        if (items.length === 0) break
        seen.push(...items.map(({ incomingId }) => incomingId))
        until = items.at(-1)?.sentAt ?? 0
        await later()
      }
      expect(seen).to.deep.equal(sent.reverse())
    })

    it('list an incoming item at the time of its delivery, so that paging misses none', async () => {
      test.clock.time += 1000
      const { packageId, documentsIds } = await test.register({ count: 1 })
      const waiting = await test.sendPackage(packageId)
      const sentAt = test.clock.now()
      const quick = await later()
      const from = test.clock.now() + 1
      test.clock.time += 1000
      await test.fix(documentsIds[0] ?? '')
      expect(await incomingIds({ from })).to.deep.equal([waiting])
      expect(await incomingIds()).to.deep.equal([waiting, quick])
      expect((await test.incoming(waiting)).sentAt).to.equal(test.clock.now())
      expect((await test.outgoing(waiting)).sentAt).to.equal(sentAt)
    })

    it('are filtered by status, with a total of their own', async () => {
      const [accepted, denied, fresh] = [await later(), await later(), await later()]
      await test.answer(accepted, { status: 'accepted' })
      await test.answer(denied, { status: 'denied' })
      const waiting = await test.sendPackage((await test.register()).packageId)
      const expected = { accepted: [accepted], denied: [denied], new: [fresh], sending: [], failed: [] } as const
      for (const status of ['accepted', 'denied', 'new', 'sending', 'failed'] as const) {
        expect(await incomingIds({ status }), status).to.deep.equal(expected[status])
        expect((await test.listIncoming(receiver, { status })).incomingTotal).to.equal(expected[status].length)
      }
      const { items, outgoingTotal } = await test.listOutgoing(sender, { status: 'sending' })
      expect([outgoingTotal, items.map(({ outgoingId }) => outgoingId)]).to.deep.equal([1, [waiting]])
    })

    it('are for the receiver and the sender, not for colleagues without the right', async () => {
      await test.sent()
      const refused: [Caller, string][] = [
        [anonymous, 'authenticationRequired'],
        [clerk, 'accessDenied'],
        [systemCaller({ bin: RECEIVER }), 'accessDenied'],
      ]
      for (const [caller, code] of refused) {
        expect(await codeOf(test.listIncoming(caller))).to.equal(code)
        expect(await codeOf(test.listOutgoing(caller))).to.equal(code)
      }
      expect((await test.listIncoming(stranger)).incomingTotal).to.equal(0)
      await test.registry
        .get(SaveOrganizationSettings)
        .execute(receiver, { request: { routedDocumentsPackagesView: { ...nobody, iins: [clerk.iin] } } })
      expect((await test.listIncoming(clerk)).incomingTotal).to.equal(1)
    })

    it('of a person are theirs alone', async () => {
      const id = await test.sent(PERSON)
      expect(await incomingIds({}, person)).to.deep.equal([id])
      expect(await codeOf(test.incoming(id, receiver))).to.equal('accessDenied')
      expect(await codeOf(test.incoming(id, stranger))).to.equal('accessDenied')
      expect(await codeOf(test.outgoing(id, person))).to.equal('accessDenied')
      expect(await codeOf(test.outgoing(id, anonymous))).to.equal('authenticationRequired')
    })

    describe('with includeDetails', () => {
      it('have the package as GET /api/package/{packageId} answers it', async () => {
        const { packageId } = await test.complete({ settings: { private: true } })
        const id = await test.sendPackage(packageId)
        const [item] = (await test.listIncoming(receiver, { includeDetails: true })).items
        expect(item?.package).to.deep.equal(await test.package(packageId, receiver))
        expect(item).not.to.have.property('detailsLeftOut')
        expect((await test.incoming(id, receiver, true)).package?.packageId).to.equal(packageId)
        expect(await test.incoming(id)).not.to.have.property('package')
      })

      it('have the document as GET /api/{id} answers it', async () => {
        const [documentId = ''] = (await test.complete()).documentsIds
        const id = await test.sendDocument(documentId)
        const { document } = await test.outgoing(id, sender, true)
        expect(document).to.deep.equal(await test.document(documentId, sender))
        const [item] = (await test.listOutgoing(sender, { includeDetails: true })).items
        expect(item?.document).to.deep.equal(document)
      })

      it('say that they leave out what the caller may not view', async () => {
        const { packageId } = await test.complete({ settings: { private: true } })
        await test.sendPackage(packageId)
        const colleague = { ...sender, iin: 'IIN123456789033', authorities: [] }
        await test.registry
          .get(SaveOrganizationSettings)
          .execute(sender, { request: { routedDocumentsPackagesView: { ...nobody, iins: [colleague.iin] } } })
        const [item] = (await test.listOutgoing(colleague, { includeDetails: true })).items
        expect(item).to.include({ packageId, detailsLeftOut: 'closed' }).and.not.to.have.property('package')
        const [without] = (await test.listOutgoing(colleague)).items
        expect(without).to.not.have.any.keys('package', 'detailsLeftOut')
      })
    })
  })
})

describe('lists of items with details', () => {
  forEachDatabase((open) => {
    let test: RoutingTest
    beforeEach(async () => {
      test = await routingTest(open, { limits: { pageBytes: 3000 } })
    })
    afterEach(() => test.registry.close())

    const large = { documentsSettings: { documentAccess: Array.from({ length: 40 }, () => ({ bin: RECEIVER })) } }
    const send = async () => test.sendPackage((await test.complete({ count: 1, ...large })).packageId)

    it('end a page by its bytes, with at least one item, and lose nothing', async () => {
      const sent: string[] = []
      for (let n = 0; n < 5; n += 1) {
        test.clock.time += 1000
        sent.push(await send())
      }
      const pages: string[][] = []
      for (let until = test.clock.now() + 1; ; ) {
        const { items, incomingTotal } = await test.listIncoming(receiver, { until, includeDetails: true })
        expect(incomingTotal).to.equal(5 - pages.flat().length)
        if (items.length === 0) break
        expect(items.map((item) => item.package?.documentsSettings.documentAccess?.length)).to.deep.equal(
          items.map(() => 40),
        )
        pages.push(items.map(({ incomingId }) => incomingId))
        until = items.at(-1)?.sentAt ?? 0
      }
      expect(pages.flat()).to.deep.equal(sent.reverse())
      expect(pages.map(({ length }) => length)).to.deep.equal([2, 2, 1])
      expect((await test.listIncoming()).items.length).to.equal(5)
    })

    it('show what was sent in one millisecond on one page, beyond the bytes without details', async () => {
      const sent = [await send(), await send(), await send()]
      const { items } = await test.listOutgoing(sender, { includeDetails: true })
      expect(items.map(({ outgoingId }) => outgoingId)).to.have.members(sent)
      expect(items.map((item) => item.package !== undefined)).to.deep.equal([true, true, false])
      expect(items.map((item) => item.detailsLeftOut)).to.deep.equal([undefined, undefined, 'pageFull'])
    })
  })
})
