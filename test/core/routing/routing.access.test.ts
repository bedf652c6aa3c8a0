import { anonymous, type Caller } from '@signed-registry/core'
import { SaveOrganizationSettings } from '@signed-registry/core/organizations'
import { ChangePackageSettings } from '@signed-registry/core/packages'
import { expect } from 'chai'
import { FailOverdueItems } from '#core/routing/waiting-items.js'
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

const closed = { settings: { private: true }, documentsSettings: { private: true } }
const nobody = { authorities: [], tlsCertificatesIndices: [], iins: [] }
const codeOf = async (attempt: Promise<unknown>) => (await rejectionOf(attempt)).code

describe('access to what was sent', () => {
  forEachDatabase((open) => {
    let test: RoutingTest
    before(async () => {
      test = await routingTest(open)
    })
    after(() => test.registry.close())

    /** Which of a package and its first document a caller can read. */
    const seenBy = async (
      caller: Caller,
      { packageId, documentsIds }: { packageId: string; documentsIds: string[] },
    ) => {
      const can = (read: Promise<unknown>) =>
        read.then(
          () => true,
          () => false,
        )
      return [await can(test.package(packageId, caller)), await can(test.document(documentsIds[0] ?? '', caller))]
    }

    it('includes a private package and its documents for the receiver, from delivery on', async () => {
      const registered = await test.register({ ...closed, count: 1 })
      await test.sendPackage(registered.packageId)
      expect(await seenBy(receiver, registered)).to.deep.equal([false, false])
      await test.fix(registered.documentsIds[0] ?? '')
      expect(await seenBy(receiver, registered)).to.deep.equal([true, true])
    })

    it('includes a private document for the receiver, but neither its package nor the others', async () => {
      const registered = await test.complete({ ...closed, by: person })
      const [first = '', second = ''] = registered.documentsIds
      expect(await codeOf(test.sendDocument(first, RECEIVER, person))).to.equal('accessDenied')

      const open = await test.complete({ settings: { private: true } })
      const [shown = ''] = open.documentsIds
      await test.sendDocument(shown)
      expect(await seenBy(receiver, open)).to.deep.equal([false, true])
      expect(await codeOf(test.document(second, receiver))).to.equal('accessDenied')
    })

    it('stays accessible to a receiver who has accepted or denied it', async () => {
      for (const status of ['accepted', 'denied'] as const) {
        const registered = await test.complete(closed)
        await test.answer(await test.sendPackage(registered.packageId), { status })
        expect(await seenBy(receiver, registered)).to.deep.equal([true, true])
      }
    })

    it('is granted to no one else', async () => {
      const registered = await test.complete(closed)
      await test.sendPackage(registered.packageId)
      for (const caller of [anonymous, stranger, person, clerk, systemCaller({ bin: RECEIVER })]) {
        expect(await seenBy(caller, registered)).to.deep.equal([false, false])
      }
    })

    it('is granted to the receiver’s employees by routedDocumentsPackagesView, and by no other right', async () => {
      const registered = await test.complete(closed)
      await test.sendPackage(registered.packageId)
      const some = { ...nobody, iins: [clerk.iin] }
      const save = (settings: object) =>
        test.registry.get(SaveOrganizationSettings).execute(receiver, { request: settings })
      await save({ documentsAccess: some, packagesAccess: some, documentsPackagesRoute: some, documentsList: some })
      expect(await seenBy(clerk, registered)).to.deep.equal([false, false])
      await save({ routedDocumentsPackagesView: some })
      expect(await seenBy(clerk, registered)).to.deep.equal([true, true])
      await save({ routedDocumentsPackagesView: nobody })
    })

    it('is not granted to the receiver as another kind of caller', async () => {
      const registered = await test.complete(closed)
      await test.sendPackage(registered.packageId, PERSON)
      expect(await seenBy(person, registered)).to.deep.equal([true, true])
      expect(await seenBy({ ...receiver, iin: PERSON }, registered)).to.deep.equal([false, false])
    })

    it('does not let the receiver change its settings', async () => {
      const { packageId } = await test.complete()
      await test.sendPackage(packageId)
      const change = test.registry.get(ChangePackageSettings).execute(receiver, { packageId, request: {} })
      expect(await codeOf(change)).to.equal('accessDenied')
    })

    it('is not granted to the sender', async () => {
      const registered = await test.complete({ by: person })
      await test.sendPackage(registered.packageId, RECEIVER, sender)
      await test.registry
        .get(ChangePackageSettings)
        .execute(person, { packageId: registered.packageId, request: { private: true } })
      expect(await seenBy(sender, registered)).to.deep.equal([false, true])
    })
  })

  describe('incomingIds and outgoingIds', () => {
    forEachDatabase((open) => {
      let test: RoutingTest
      before(async () => {
        test = await routingTest(open)
      })
      after(() => test.registry.close())
      const idsOf = ({ incomingIds, outgoingIds }: { incomingIds?: string[]; outgoingIds?: string[] }) => ({
        ...(incomingIds && { incomingIds }),
        ...(outgoingIds && { outgoingIds }),
      })

      it('are absent from what was never sent', async () => {
        const { packageId, documentsIds } = await test.complete()
        expect(idsOf(await test.package(packageId, sender))).to.deep.equal({})
        expect(idsOf(await test.document(documentsIds[0] ?? '', sender))).to.deep.equal({})
      })

      it('are those of the caller, and empty for all others', async () => {
        const { packageId, documentsIds } = await test.complete()
        const [documentId = ''] = documentsIds
        const item = await test.sendPackage(packageId)
        const other = await test.sendPackage(packageId, PERSON)
        const single = await test.sendDocument(documentId, RECEIVER)
        const ofPackage = async (caller: Caller) => idsOf(await test.package(packageId, caller))
        expect(await ofPackage(receiver)).to.deep.equal({ incomingIds: [item], outgoingIds: [] })
        expect(await ofPackage(person)).to.deep.equal({ incomingIds: [other], outgoingIds: [] })
        const { outgoingIds = [], ...rest } = await ofPackage(sender)
        expect([rest, outgoingIds.sort()]).to.deep.equal([{ incomingIds: [] }, [item, other].sort()])
        for (const caller of [anonymous, stranger, clerk]) {
          expect(await ofPackage(caller)).to.deep.equal({ incomingIds: [], outgoingIds: [] })
        }
        expect(idsOf(await test.document(documentId, receiver))).to.deep.equal({
          incomingIds: [single],
          outgoingIds: [],
        })
      })

      it('do not show an item to the receiver before it is delivered', async () => {
        const { packageId } = await test.register()
        await test.sendPackage(packageId)
        expect(idsOf(await test.package(packageId, receiver))).to.deep.equal({ incomingIds: [] })
        expect(idsOf(await test.package(packageId, sender))).to.deep.equal({ incomingIds: [] })
      })

      it('name what was delivered, to the sender too, and not what has failed', async () => {
        const { packageId, documentsIds } = await test.register({ count: 1 })
        const failed = await test.sendPackage(packageId)
        test.clock.time += 2 * 24 * 60 * 60 * 1000
        await test.registry.get(FailOverdueItems).run()
        await test.fix(documentsIds[0] ?? '')
        const delivered = await test.sendPackage(packageId)
        expect(delivered).not.to.equal(failed)
        const seen = idsOf(await test.package(packageId, sender))
        expect(seen).to.deep.equal({ incomingIds: [], outgoingIds: [delivered] })
      })
    })
  })
})
