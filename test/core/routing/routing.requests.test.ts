import { mock } from 'node:test'
import { SendDocument } from '@signed-registry/core/routing'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { PartyNames } from '#core/parties/index.js'
import { ItemStore } from '#core/routing/index.js'
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

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR
const codeOf = async (attempt: Promise<unknown>) => (await rejectionOf(attempt)).code

describe('what a sender wants of a receiver', () => {
  forEachDatabase((open) => {
    let test: RoutingTest
    before(async () => {
      test = await routingTest(open, { limits: { mailsPerHour: 4 } })
    })
    beforeEach(() => {
      test.clock.time += DAY
    })
    after(() => test.registry.close())

    const typesOf = (itemId: string) =>
      eventsOf(test.registry).flatMap((event) => ('itemId' in event && event.itemId === itemId ? event.type : []))

    describe('toSign and deadline', () => {
      it('stand in the items of both sides and in their lists', async () => {
        const deadline = test.clock.now() + DAY
        const id = await test.sent(RECEIVER, { toSign: true, deadline })
        expect(await test.outgoing(id)).to.deep.include({ toSign: true, deadline })
        expect(await test.incoming(id)).to.deep.include({ toSign: true, deadline })
        expect((await test.listIncoming()).items[0]).to.deep.include({ toSign: true, deadline })
      })

      it('are absent where they were not given', async () => {
        expect(await test.outgoing(await test.sent())).to.not.have.any.keys('toSign', 'deadline')
      })

      it('refuse a deadline that has passed or is more than a year away', async () => {
        for (const ahead of [0, -1, 367 * DAY])
          expect(await codeOf(test.sent(RECEIVER, { deadline: test.clock.now() + ahead }))).to.equal('invalidDeadline')
        const send = { to: RECEIVER, deadline: 0 }
        expect(await codeOf(test.register({ send }))).to.equal('invalidDeadline')
        const [id = ''] = (await test.complete({ count: 1 })).documentsIds
        const sent = test.registry.get(SendDocument).execute(sender, { id, request: send })
        expect(await codeOf(sent)).to.equal('invalidDeadline')
      })

      it('hold at the API: after the deadline an item is not accepted, but denied and commented', async () => {
        const id = await test.sent(RECEIVER, { deadline: test.clock.now() + HOUR })
        test.clock.time += HOUR + 1
        expect(await codeOf(test.answer(id, { status: 'accepted' }))).to.equal('deadlinePassed')
        await test.answer(id, { comment: 'Give us a day' })
        await test.answer(id, { status: 'denied' })
        expect((await test.outgoing(id)).status).to.equal('denied')
      })

      it('let an item be accepted until its last millisecond', async () => {
        const id = await test.sent(RECEIVER, { deadline: test.clock.now() + HOUR })
        test.clock.time += HOUR
        await test.answer(id, { status: 'accepted' })
      })
    })

    describe('openedAt', () => {
      it('is when the receiver first reads the item, not its lists, and the sender sees it', async () => {
        const id = await test.sent()
        await test.listIncoming(receiver, { includeDetails: true })
        expect(await test.outgoing(id)).to.not.have.property('openedAt')
        const openedAt = test.clock.now()
        expect(await test.incoming(id)).to.deep.include({ openedAt })
        test.clock.time += 1000
        await test.incoming(id)
        expect(await test.outgoing(id)).to.deep.include({ openedAt })
        expect(typesOf(id)).to.deep.equal(['itemSent', 'itemDelivered', 'itemOpened'])
      })

      it('is not when the sender, a clerk without rights or a stranger asks for it', async () => {
        const id = await test.sent()
        for (const caller of [sender, clerk, stranger])
          expect(await codeOf(test.incoming(id, caller))).to.equal('accessDenied')
        expect(await test.outgoing(id)).to.not.have.property('openedAt')
      })

      it('is told once of two who read at the same time', async () => {
        const id = await test.sent()
        await Promise.all([test.incoming(id), test.incoming(id), test.incoming(id)])
        expect(typesOf(id).filter((type) => type === 'itemOpened')).to.have.length(1)
      })

      it('is not noted where the database is full or takes no writes, and the item is read', async () => {
        const id = await test.sent()
        for (const fault of [{ errcode: 13, errno: 1021 }, { errno: 1290 }]) {
          const full = async () => Promise.reject(Object.assign(new Error('No writes'), fault))
          const failing = mock.method(test.registry.get(ItemStore), 'open', full)
          expect(await test.incoming(id))
            .to.include({ status: 'new' })
            .and.not.have.property('openedAt')
          failing.mock.restore()
        }
        const faulty = mock.method(test.registry.get(ItemStore), 'open', () => Promise.reject(new TypeError('faulty')))
        expect(await test.incoming(id).catch((error: Error) => error.message)).to.equal('faulty')
        faulty.mock.restore()
      })
    })

    describe('POST /api/outgoing/{outgoingId}/remind', () => {
      it('reminds three times, an hour apart', async () => {
        const id = await test.sent()
        expect(await rejectionOf(test.remind(id))).to.deep.include({ code: 'remindedTooSoon' })
        for (const remindersLeft of [2, 1, 0]) {
          test.clock.time += HOUR
          expect(await test.remind(id)).to.deep.equal({ outgoingId: id, remindersLeft })
          expect(await codeOf(test.remind(id))).to.equal(
            remindersLeft === 0 ? 'remindersLimitReached' : 'remindedTooSoon',
          )
        }
        test.clock.time += HOUR
        expect(await codeOf(test.remind(id))).to.equal('remindersLimitReached')
        expect(await test.outgoing(id)).to.deep.include({ reminders: 3, remindersLeft: 0, status: 'new' })
        expect(typesOf(id).filter((type) => type === 'itemReminded')).to.have.length(3)
      })

      it('refuses what waits, is decided or was recalled', async () => {
        const { packageId } = await test.register()
        expect(await codeOf(test.remind(await test.sendPackage(packageId)))).to.equal('reminderNotPossible')
        const decided = await test.sent()
        await test.answer(decided, { status: 'accepted' })
        const recalled = await test.sent()
        await test.recall(recalled)
        test.clock.time += HOUR
        for (const id of [decided, recalled]) expect(await codeOf(test.remind(id))).to.equal('reminderNotPossible')
      })

      it('refuses after the deadline, when nothing can be accepted any more', async () => {
        const id = await test.sent(RECEIVER, { deadline: test.clock.now() + HOUR })
        test.clock.time += HOUR + 1
        expect(await codeOf(test.remind(id))).to.equal('deadlinePassed')
      })

      it('is for the sender alone', async () => {
        const id = await test.sent()
        test.clock.time += HOUR
        for (const caller of [receiver, clerk, stranger])
          expect(await codeOf(test.remind(id, caller))).to.equal('accessDenied')
        expect(await codeOf(test.remind('A'.repeat(16)))).to.equal('itemNotFound')
      })

      it('counts among the mails of the caller, and beyond them reminds nobody', async () => {
        const ids = []
        for (let n = 0; n < 5; n++) ids.push(await test.sent())
        test.clock.time += HOUR
        const last = ids.pop() ?? ''
        for (const id of ids) await test.remind(id)
        expect(await codeOf(test.remind(last))).to.equal('mailLimitReached')
        expect(await test.outgoing(last)).to.deep.include({ reminders: 0 })
      })
    })

    describe('POST /api/outgoing/{outgoingId}/recall', () => {
      it('takes the item back with a comment: failed and recalled for both, in their lists too', async () => {
        const id = await test.sent()
        const before = (await test.listIncoming(receiver, { status: 'new' })).incomingTotal
        expect(await test.recall(id, 'The wrong file')).to.deep.equal({ outgoingId: id })
        const comments = [{ storedAt: test.clock.now(), author: SENDER, value: 'The wrong file' }]
        expect(await test.outgoing(id)).to.deep.include({
          status: 'failed',
          failure: 'recalled',
          recalled: true,
          comments,
        })
        expect(await test.incoming(id)).to.deep.include({ status: 'failed', recalled: true, comments })
        expect((await test.listIncoming(receiver, { status: 'new' })).incomingTotal).to.equal(before - 1)
        expect((await test.listOutgoing(sender, { status: 'failed' })).items[0]?.outgoingId).to.equal(id)
      })

      it('ends the access that the item gave', async () => {
        const { packageId, documentsIds } = await test.complete({
          settings: { private: true },
          count: 1,
          documentsSettings: { private: true },
        })
        const [documentId = ''] = documentsIds
        const id = await test.sendPackage(packageId)
        await test.package(packageId, receiver)
        await test.document(documentId, receiver)
        await test.recall(id)
        expect(await codeOf(test.package(packageId, receiver))).to.equal('accessDenied')
        expect(await codeOf(test.document(documentId, receiver))).to.equal('accessDenied')
        expect((await test.incoming(id, receiver, true)).detailsLeftOut).to.equal('closed')
        await test.sendPackage(packageId)
        await test.document(documentId, receiver)
      })

      it('is for what waits too, which the receiver never sees', async () => {
        const { packageId, documentsIds } = await test.register({ count: 1 })
        const id = await test.sendPackage(packageId)
        await test.recall(id)
        for (const documentId of documentsIds) await test.fix(documentId)
        expect(await codeOf(test.incoming(id))).to.equal('itemNotFound')
      })

      it('refuses what is decided or was recalled', async () => {
        for (const status of ['accepted', 'denied'] as const) {
          const id = await test.sent()
          await test.answer(id, { status })
          expect(await codeOf(test.recall(id))).to.equal('canNotBeRecalled')
        }
        const id = await test.sent()
        await test.recall(id)
        expect(await codeOf(test.recall(id))).to.equal('canNotBeRecalled')
        expect(await codeOf(test.answer(id, { status: 'accepted' }))).to.equal('statusCanNotBeChanged')
        expect(await codeOf(test.comment(id, 'more'))).to.equal('commentsClosed')
      })

      it('is possible three times for one document or package and receiver, and counts among the mails', async () => {
        const { packageId } = await test.complete({ count: 1 })
        for (let n = 0; n < 3; n++) await test.recall(await test.sendPackage(packageId))
        const last = await test.sendPackage(packageId)
        expect(await codeOf(test.recall(last))).to.equal('canNotBeRecalled')
        expect((await test.outgoing(last)).status).to.equal('new')
        await test.recall(await test.sent())
        const beyond = await test.sent()
        expect(await codeOf(test.recall(beyond))).to.equal('mailLimitReached')
        expect((await test.outgoing(beyond)).status).to.equal('new')
      })

      it('is for the sender alone', async () => {
        const id = await test.sent()
        for (const caller of [receiver, clerk, stranger])
          expect(await codeOf(test.recall(id, undefined, caller))).to.equal('accessDenied')
        expect((await test.outgoing(id)).status).to.equal('new')
      })

      it('refuses a comment that is too long', async () => {
        const id = await test.sent()
        expect(await codeOf(test.recall(id, 'x'.repeat(4001)))).to.equal('requestFieldTooLarge')
        expect((await test.outgoing(id)).status).to.equal('new')
      })

      it('and a decision at the same time: one of them holds', async () => {
        for (let n = 0; n < 5; n++) {
          const id = await test.sent()
          const done = await Promise.allSettled([test.recall(id), test.answer(id, { status: 'accepted' })])
          expect(done.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
          expect((await test.outgoing(id)).status).to.equal(done[0].status === 'fulfilled' ? 'failed' : 'accepted')
        }
      })
    })

    describe('names', () => {
      const subject = (cn: string, o?: string) => [
        [{ oid: '2.5.4.3', name: 'CN', value: cn, valueInB64: false }],
        ...(o === undefined ? [] : [[{ oid: '2.5.4.10', name: 'O', value: o, valueInB64: false }]]),
      ]
      before(() =>
        test.registry.get(Database).transaction(async () => {
          const names = test.registry.get(PartyNames)
          await names.remember({ userId: sender.iin, businessId: SENDER, subjectStructure: subject('S', 'Seller') }, 1)
          await names.remember(
            { userId: receiver.iin, businessId: RECEIVER, subjectStructure: subject('B', 'Buyer') },
            1,
          )
          await names.remember({ userId: PERSON, subjectStructure: subject('СЕРИКОВА АЛИЯ') }, 1)
        }),
      )

      it('of organizations stand in the items, comments and lists of both sides', async () => {
        const id = await test.sent()
        await test.answer(id, { comment: 'Thanks' })
        const names = { senderName: 'Seller', receiverName: 'Buyer' }
        const item = await test.outgoing(id)
        expect(item).to.deep.include(names)
        expect(item.comments?.[0]).to.deep.include({ author: RECEIVER, authorName: 'Buyer' })
        expect(await test.incoming(id)).to.deep.include(names)
        expect((await test.listOutgoing()).items[0]).to.deep.include(names)
      })

      it('of a person are told to the sender only after they opened or decided the item', async () => {
        const id = await test.sent(PERSON)
        expect(await test.outgoing(id)).to.not.have.property('receiverName')
        expect((await test.listOutgoing()).items[0]).to.not.have.property('receiverName')
        await test.incoming(id, person)
        expect(await test.outgoing(id)).to.deep.include({ receiverName: 'СЕРИКОВА АЛИЯ' })
        const decided = await test.sent(PERSON)
        await test.answer(decided, { status: 'denied' }, person)
        expect(await test.outgoing(decided)).to.deep.include({ receiverName: 'СЕРИКОВА АЛИЯ' })
      })
    })
  })
})
