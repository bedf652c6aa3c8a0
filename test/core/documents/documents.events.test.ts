import { anonymous } from '@signed-registry/core'

import { AddSignature, FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { expect } from 'chai'
import { forEachDatabase } from '../../support/databases.js'
import { eventsOf } from '../../support/events.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

const original = Buffer.from('contract')

describe('events of documents', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    before(async () => {
      test = await testRegistry(await open())
    })
    after(() => test.registry.close())
    const signed = (signer = test.authorities.person()) =>
      signer.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')

    it('are its registration, every signature with the signer, and its completion', async () => {
      const signers = [{ iin: '850101300012' }, { iin: '860101300019', bin: '900140000017' }] as const
      const [first, second] = [test.authorities.person(signers[0]), test.authorities.employee(signers[1])]
      const { documentId, signId } = await test.registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { signature: signed(first) } })
      await test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
      const added = await test.registry
        .get(AddSignature)
        .execute(anonymous, { id: documentId, request: { signature: signed(second) } })
      const facts = eventsOf(test.registry).map(({ eventId, createdAt, ...happening }) => {
        expect([eventId.length, createdAt]).to.deep.equal([16, test.clock.now()])
        return happening
      })
      expect(facts).to.deep.equal([
        { type: 'documentRegistered', documentId },
        { type: 'signatureRegistered', documentId, signId, userId: 'IIN850101300012' },
        { type: 'documentCompleted', documentId },
        {
          type: 'signatureRegistered',
          documentId,
          signId: added.signId,
          userId: 'IIN860101300019',
          businessId: 'BIN900140000017',
        },
      ])
    })

    it('are not stored for refused requests', async () => {
      const signature = signed()
      const { documentId } = await test.registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
      const before = eventsOf(test.registry).length
      const again = test.registry.get(RegisterDocument).execute(anonymous, { request: { signature } })
      expect((await rejectionOf(again)).message).to.equal('This signature has already been submitted')
      const other = uploadOf(Buffer.from('another'))
      await rejectionOf(test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: other }))
      expect(eventsOf(test.registry)).to.have.length(before)
    })
  })
})
