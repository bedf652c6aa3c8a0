import { anonymous, type Caller } from '@signed-registry/core'

import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { employeeCaller, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { eventsOf } from '../../support/events.js'
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
  stranger,
} from '../../support/routing.js'

const nobody = { authorities: [], tlsCertificatesIndices: [], iins: [] }
const codeOf = async (attempt: Promise<unknown>) => (await rejectionOf(attempt)).code

describe('comments under items', () => {
  forEachDatabase((open) => {
    let test: RoutingTest
    before(async () => {
      test = await routingTest(open, { limits: { commentsPerItem: 3 } })
    })
    after(() => test.registry.close())

    describe('POST /api/incoming/{incomingId}/comment', () => {
      for (const status of ['accepted', 'denied'] as const) {
        it(`with status ${status} changes the status of both sides`, async () => {
          const id = await test.sent()
          expect(await test.answer(id, { status, comment: 'because' })).to.deep.equal({ incomingId: id })
          const comments = [{ storedAt: test.clock.now(), author: RECEIVER, status, value: 'because' }]
          expect(await test.incoming(id)).to.deep.include({ status, comments })
          expect(await test.outgoing(id)).to.deep.include({ status, comments })
        })
      }

      it('with a comment alone leaves the item new', async () => {
        const id = await test.sent()
        await test.answer(id, { comment: 'привет 👋' })
        const { status, comments } = await test.incoming(id)
        expect(status).to.equal('new')
        expect(comments).to.deep.equal([{ storedAt: test.clock.now(), author: RECEIVER, value: 'привет 👋' }])
      })

      it('changes a status once', async () => {
        const id = await test.sent()
        await test.answer(id, { status: 'denied' })
        const refused = await rejectionOf(test.answer(id, { status: 'accepted' }))
        expect(refused).to.include({ code: 'statusCanNotBeChanged', message: 'Status can not be changed' })
        expect(await codeOf(test.answer(id, { comment: 'more' }))).to.equal('commentsClosed')
        expect((await test.incoming(id)).comments).to.have.length(1)
      })

      it('lets one of two employees decide concurrently', async () => {
        const id = await test.sent()
        const decisions = (['accepted', 'denied', 'accepted', 'denied'] as const).map((status) =>
          test.answer(id, { status }),
        )
        const outcomes = await Promise.allSettled(decisions)
        expect(outcomes.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
        const refusals = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason.message] : []))
        expect(refusals).to.deep.equal(Array(3).fill('Status can not be changed'))
        const { status, comments = [] } = await test.incoming(id)
        expect(comments.map((comment) => comment.status)).to.deep.equal([status])
      })

      it('requires a status or a comment that is not blank', async () => {
        const id = await test.sent()
        for (const request of [{}, { comment: '' }, { comment: ' \t\n' }]) {
          expect(await codeOf(test.answer(id, request))).to.equal('commentOrStatusRequired')
        }
        await test.answer(id, { status: 'accepted', comment: '' })
        expect((await test.incoming(id)).comments?.[0]).not.to.have.property('value')
      })

      it('is for the receiver alone', async () => {
        const id = await test.sent()
        const decision = { status: 'accepted' } as const
        const refusals: [Caller, string][] = [
          [sender, 'accessDenied'],
          [stranger, 'accessDenied'],
          [clerk, 'accessDenied'],
          [person, 'accessDenied'],
          [systemCaller({ bin: RECEIVER }), 'accessDenied'],
          [anonymous, 'authenticationRequired'],
        ]
        for (const [caller, code] of refusals) expect(await codeOf(test.answer(id, decision, caller))).to.equal(code)
        expect((await test.incoming(id)).status).to.equal('new')
      })

      it('is for employees by documentsPackagesRoute, and not by routedDocumentsPackagesView', async () => {
        const rights = { routedDocumentsPackagesView: nobody, documentsPackagesRoute: nobody }
        const save = (right?: keyof typeof rights) =>
          test.registry
            .get(SaveOrganizationSettings)
            .execute(receiver, { request: { ...rights, ...(right && { [right]: { ...nobody, iins: [clerk.iin] } }) } })
        const id = await test.sent()
        await save('routedDocumentsPackagesView')
        expect((await test.incoming(id, clerk)).status).to.equal('new')
        expect(await codeOf(test.answer(id, { comment: 'a' }, clerk))).to.equal('accessDenied')
        await save('documentsPackagesRoute')
        expect(await codeOf(test.incoming(id, clerk))).to.equal('accessDenied')
        await test.answer(id, { comment: 'a' }, clerk)
        await save()
      })

      it('records the exact author, and shows the organization', async () => {
        const id = await test.sent()
        await test.answer(id, { comment: 'a' })
        const rows = await test.registry.get(Database).query('registry_routing_comments').where({ item_id: id })
        expect(rows.map((row) => [row.author, row.made_by])).to.deep.equal([[RECEIVER, receiver.iin]])
      })

      it('does not find an item that is not delivered', async () => {
        const outgoingId = await test.sendPackage((await test.register()).packageId)
        expect(await codeOf(test.answer(outgoingId, { status: 'accepted' }))).to.equal('itemNotFound')
        expect(await codeOf(test.answer('no such item', { status: 'accepted' }))).to.equal('itemNotFound')
      })
    })

    describe('POST /api/outgoing/{outgoingId}/comment', () => {
      it('adds a comment that both sides see', async () => {
        const id = await test.sent()
        expect(await test.comment(id, 'please')).to.deep.equal({ outgoingId: id })
        const comments = [{ storedAt: test.clock.now(), author: SENDER, value: 'please' }]
        expect((await test.incoming(id)).comments).to.deep.equal(comments)
      })

      it('is for the sender alone, while the item is new', async () => {
        const id = await test.sent()
        for (const caller of [receiver, stranger, person]) {
          expect(await codeOf(test.comment(id, 'a', caller))).to.equal('accessDenied')
        }
        expect(await codeOf(test.comment(id, '  '))).to.equal('commentOrStatusRequired')
        await test.answer(id, { status: 'denied' })
        expect(await codeOf(test.comment(id, 'but'))).to.equal('commentsClosed')
        const waiting = await test.sendPackage((await test.register()).packageId)
        expect(await codeOf(test.comment(waiting, 'soon'))).to.equal('commentsClosed')
      })

      it('is for the person who sent as a person, and not for the same person as an employee', async () => {
        const { packageId } = await test.complete({ by: person })
        const id = await test.sendPackage(packageId, RECEIVER, person)
        expect(await codeOf(test.comment(id, 'a', employeeCaller({ iin: PERSON })))).to.equal('accessDenied')
        await test.comment(id, 'a', person)
      })
    })

    describe('above the limit', () => {
      it('are refused, and the receiver can still decide', async () => {
        const id = await test.sent()
        for (const text of ['1', '2', '3']) await test.comment(id, text)
        expect(await codeOf(test.comment(id, '4'))).to.equal('commentsLimitReached')
        expect(await codeOf(test.answer(id, { comment: '4' }))).to.equal('commentsLimitReached')
        await test.answer(id, { status: 'denied', comment: 'too many' })
        expect((await test.incoming(id)).comments).to.have.length(4)
      })

      it('are refused when they come at once', async () => {
        const id = await test.sent()
        const comments = ['1', '2', '3', '4', '5'].map((text) => test.comment(id, text))
        expect((await Promise.allSettled(comments)).filter(({ status }) => status === 'fulfilled')).to.have.length(3)
        expect((await test.incoming(id)).comments).to.have.length(3)
      })

      it('of 4000 characters are refused', async () => {
        const id = await test.sent()
        await test.comment(id, '👋'.repeat(4000))
        expect(await codeOf(test.comment(id, 'x'.repeat(4001)))).to.equal('requestFieldTooLarge')
        expect(await codeOf(test.answer(id, { comment: 'x'.repeat(1_000_000) }))).to.equal('requestFieldTooLarge')
        expect((await test.incoming(id)).comments?.map(({ value }) => value)).to.deep.equal(['👋'.repeat(4000)])
      })
    })

    it('emit events with the author and the number of comments', async () => {
      const id = await test.sent()
      await test.comment(id, 'please')
      await test.answer(id, { status: 'accepted' })
      const [commented, decided] = eventsOf(test.registry).slice(-2)
      const facts = { itemId: id, sender: SENDER, receiver: RECEIVER }
      expect(commented).to.include({ type: 'itemCommented', status: 'new', commentsCount: 1, author: SENDER, ...facts })
      expect(decided).to.include({
        type: 'itemDecided',
        status: 'accepted',
        commentsCount: 2,
        author: RECEIVER,
        ...facts,
      })
    })
  })
})
