import { anonymous, type Caller } from '@signed-registry/core'
import { RegisterDocument } from '@signed-registry/core/documents'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import type { SendRequest } from '@signed-registry/core/routing'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { Subscriptions } from '#core/organizations/subscriptions.js'
import { clientCertificate } from '../../support/client-certificate.js'
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

describe('sending', () => {
  forEachDatabase((open) => {
    let test: RoutingTest
    before(async () => {
      test = await routingTest(open, { limits: { waitingItems: 2, comment: 10 } })
    })
    after(() => test.registry.close())

    const status = async (outgoingId: string, by: Caller = sender) => (await test.outgoing(outgoingId, by)).status
    const itemEvents = (itemId: string) =>
      eventsOf(test.registry).flatMap((event) => ('itemId' in event && event.itemId === itemId ? [event] : []))

    describe('a package', () => {
      it('that is complete delivers it at once', async () => {
        const { packageId } = await test.complete()
        const outgoingId = await test.sendPackage(packageId)
        expect(await test.outgoing(outgoingId)).to.deep.equal({
          outgoingId,
          packageId,
          sentAt: test.clock.now(),
          sender: SENDER,
          receiver: RECEIVER,
          status: 'new',
          reminders: 0,
          remindersLeft: 3,
          comments: [],
        })
        expect((await test.incoming(outgoingId)).packageId).to.equal(packageId)
      })

      it('that is incomplete waits for the hashes of its last document, whose answer has the outgoingId', async () => {
        const { packageId, documentsIds } = await test.register()
        const [first = '', last = ''] = documentsIds
        const outgoingId = await test.sendPackage(packageId)
        expect(await status(outgoingId)).to.equal('sending')
        expect(await codeOf(test.incoming(outgoingId))).to.equal('itemNotFound')
        expect(await test.fix(first)).not.to.have.property('outgoingId')
        expect(await status(outgoingId)).to.equal('sending')
        expect((await test.fix(last)).outgoingId).to.equal(outgoingId)
        expect(await status(outgoingId)).to.equal('new')
      })

      it('while its last two documents are completed at once delivers it once', async () => {
        const { packageId, documentsIds } = await test.register()
        const [outgoingId, ...fixed] = await Promise.all([
          test.sendPackage(packageId),
          ...documentsIds.map((id) => test.fix(id)),
        ])
        expect(fixed).to.have.length(2)
        expect(await status(outgoingId)).to.equal('new')
        expect(itemEvents(outgoingId).map(({ type }) => type)).to.deep.equal(['itemSent', 'itemDelivered'])
      })

      it('is for callers who may view it and each of its documents, or who registered it', async () => {
        const { packageId } = await test.complete({ by: person, documentsSettings: { private: true } })
        expect(await codeOf(test.sendPackage(packageId, RECEIVER, stranger))).to.equal('accessDenied')
        expect(await status(await test.sendPackage(packageId, RECEIVER, person), person)).to.equal('new')

        const hidden = await test.complete({ by: person, settings: { private: true } })
        expect(await codeOf(test.sendPackage(hidden.packageId, RECEIVER, stranger))).to.equal('accessDenied')
        expect(await codeOf(test.sendPackage('A'.repeat(16)))).to.equal('packageNotFound')
      })
    })

    describe('a document', () => {
      it('delivers it when its own hashes are fixed', async () => {
        const [first = '', second = ''] = (await test.register()).documentsIds
        const outgoingId = await test.sendDocument(first)
        expect(await codeOf(test.sendDocument(first))).to.equal('alreadySent')
        expect(await status(outgoingId)).to.equal('sending')
        expect(await test.fix(second)).not.to.have.property('outgoingId')
        expect((await test.fix(first)).outgoingId).to.equal(outgoingId)
        expect(await test.incoming(outgoingId)).to.include({ documentId: first, status: 'new' })
      })

      it('is for callers who may view it', async () => {
        const [first = ''] = (await test.complete({ documentsSettings: { private: true } })).documentsIds
        expect(await codeOf(test.sendDocument(first, RECEIVER, stranger))).to.equal('accessDenied')
        expect(await codeOf(test.sendDocument('A'.repeat(16)))).to.equal('documentNotFound')
      })

      it('is not for who has only received it', async () => {
        const { packageId, documentsIds } = await test.complete({ documentsSettings: { private: true } })
        await test.sendPackage(packageId)
        const [first = ''] = documentsIds
        expect((await test.document(first, receiver)).settings.private).to.equal(true)
        expect(await codeOf(test.sendDocument(first, PERSON, receiver))).to.equal('accessDenied')
        expect(await codeOf(test.sendPackage(packageId, PERSON, receiver))).to.equal('accessDenied')
      })
    })

    describe('at registration', () => {
      it('delivers a package when its last hashes are fixed', async () => {
        const { documentsIds } = await test.register({ send: { to: PERSON, comment: 'look' } })
        for (const id of documentsIds.slice(0, -1)) expect(await test.fix(id)).not.to.have.property('outgoingId')
        const { outgoingId = '' } = await test.fix(documentsIds.at(-1) ?? '')
        expect(await test.incoming(outgoingId, person)).to.deep.include({
          receiver: PERSON,
          comments: [{ storedAt: test.clock.now(), author: SENDER, value: 'look' }],
        })
      })

      it('delivers a document that a system preregistered in the name of its organization', async () => {
        const organization = { bin: 'BIN123456789031' }
        const system = systemCaller(organization)
        const register = () =>
          test.registry.get(RegisterDocument).execute(system, { request: { send: { to: RECEIVER, comment: 'look' } } })
        const settings = (tlsCertificatesIndices: number[]) => ({
          tlsCertificatesList: [{ body: clientCertificate().pem }],
          documentsPackagesRoute: { ...nobody, tlsCertificatesIndices },
        })
        const save = test.registry.get(SaveOrganizationSettings)
        expect(await codeOf(register())).to.equal('accessDenied')
        await save.execute({ ...sender, ...organization }, { request: settings([0]) })
        const { documentId } = await register()
        const { outgoingId = '' } = await test.fix(documentId, system)
        expect(await test.incoming(outgoingId)).to.include({ documentId, sender: organization.bin, status: 'new' })
        const comments = test.registry.get(Database).query('registry_routing_comments').where({ item_id: outgoingId })
        expect(await comments.select('author', 'made_by')).to.deep.equal([
          { author: organization.bin, made_by: system.certificateDigest },
        ])
      })

      it('registers nothing when it is refused', async () => {
        const before = eventsOf(test.registry).length
        expect(await codeOf(test.register({ send: { to: SENDER } }))).to.equal('invalidReceiver')
        expect(eventsOf(test.registry)).to.have.length(before)
      })
    })

    describe('refuses', () => {
      const send = async (request: SendRequest, by: Caller = sender) => test.register({ by, send: request })

      for (const to of [
        '',
        '123456789011',
        'IIN12345678901',
        'IIN1234567890123',
        'bin123456789021',
        'BIN12345678902x',
        'BIN123456789022\n',
      ]) {
        it(`${JSON.stringify(to)} as a receiver`, async () => {
          expect(await codeOf(send({ to }))).to.equal('invalidReceiver')
        })
      }

      it('the sender as a receiver', async () => {
        expect(await codeOf(send({ to: PERSON }, person))).to.equal('invalidReceiver')
        expect(await codeOf(send({ to: SENDER }))).to.equal('invalidReceiver')
      })

      it('no receiver for being unknown: the item waits', async () => {
        await send({ to: 'IIN000000000000' })
      })

      it('anonymous callers, and employees without the right', async () => {
        expect(await codeOf(send({ to: RECEIVER }, anonymous))).to.equal('authenticationRequired')
        expect(await codeOf(send({ to: SENDER }, clerk))).to.equal('accessDenied')
        const { packageId } = await test.complete()
        expect(await codeOf(test.sendPackage(packageId, SENDER, clerk))).to.equal('accessDenied')
        expect(await codeOf(test.sendPackage(packageId, SENDER, anonymous))).to.equal('authenticationRequired')
      })

      it('an organization whose subscription has no sending', async () => {
        const bin = 'BIN123456789032'
        await test.registry.get(Subscriptions).change(bin, { disable: ['documentsRouting'] }, 'an administrator')
        const head = { ...sender, bin }
        expect(await codeOf(send({ to: RECEIVER }, head))).to.equal('featureNotAvailable')
      })

      it('a comment above the limit, and takes a blank one as none', async () => {
        expect(await codeOf(send({ to: RECEIVER, comment: 'x'.repeat(11) }))).to.equal('requestFieldTooLarge')
        const { packageId } = await test.complete()
        const outgoingId = await test.sendPackage(packageId, RECEIVER, sender, ' \n ')
        expect((await test.outgoing(outgoingId)).comments).to.deep.equal([])
      })

      it('more waiting items than the limit', async () => {
        const { packageId } = await test.register()
        await test.sendPackage(packageId, PERSON)
        await test.sendPackage(packageId, RECEIVER)
        expect(await codeOf(test.sendPackage(packageId, 'BIN123456789029'))).to.equal('tooManyWaitingItems')
      })
    })

    describe('twice to the same receiver', () => {
      it('is refused while the first item is waiting or undecided', async () => {
        const { packageId, documentsIds } = await test.register()
        await test.sendPackage(packageId)
        expect(await codeOf(test.sendPackage(packageId))).to.equal('alreadySent')
        for (const id of documentsIds) await test.fix(id)
        expect(await codeOf(test.sendPackage(packageId))).to.equal('alreadySent')
      })

      for (const decision of ['denied', 'accepted'] as const) {
        it(`makes a new item after the first was ${decision}`, async () => {
          const { packageId } = await test.complete()
          const decided = await test.sendPackage(packageId)
          await test.answer(decided, { status: decision })
          const again = await test.sendPackage(packageId)
          expect(again).not.to.equal(decided)
          expect([await status(decided), await status(again)]).to.deep.equal([decision, 'new'])
        })
      }

      it('makes one item when both are concurrent', async () => {
        const { packageId } = await test.complete()
        const attempts = await Promise.allSettled([1, 2, 3].map(() => test.sendPackage(packageId)))
        expect(attempts.filter(({ status }) => status === 'fulfilled')).to.have.length(1)
      })

      it('is two items when two senders do', async () => {
        const { packageId } = await test.complete()
        await test.sendPackage(packageId)
        expect(await status(await test.sendPackage(packageId, RECEIVER, stranger), stranger)).to.equal('new')
      })

      it('is two items for a document and its package', async () => {
        const { packageId, documentsIds } = await test.complete()
        await test.sendPackage(packageId)
        expect(await status(await test.sendDocument(documentsIds[0] ?? ''))).to.equal('new')
      })
    })

    it('keeps an event of each move, with who sent and who receives', async () => {
      const { packageId, documentsIds } = await test.register({ count: 1 })
      const outgoingId = await test.sendPackage(packageId, PERSON, employeeCaller({ ...sender }))
      await test.fix(documentsIds[0] ?? '')
      const facts = { itemId: outgoingId, subject: { packageId }, commentsCount: 0, sender: SENDER, receiver: PERSON }
      const [sent, delivered] = itemEvents(outgoingId)
      expect(sent).to.deep.include({ type: 'itemSent', status: 'sending', author: SENDER, ...facts })
      expect(delivered).to.deep.include({ type: 'itemDelivered', status: 'new', ...facts })
    })
  })
})
