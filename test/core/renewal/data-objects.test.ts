import { anonymous } from '@signed-registry/core'
import { FixDigests, RegisterDocument, VerifyDocument } from '@signed-registry/core/documents'
import { readDataObject } from '@signed-registry/verifier/records'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { RenewedProofs } from '#core/documents/index.js'
import { forEachDatabase } from '../../support/databases.js'
import { DAY } from '../../support/pki/authorities.js'
import { OIDS } from '../../support/pki/records.js'
import { rejectionOf } from '../../support/refusal.js'
import { uploadOf } from '../../support/registry.js'
import {
  type RenewedDocument,
  type RenewingRegistry,
  renewingRegistry,
} from '../../support/renewal/renewing-registry.js'

describe('data objects', () => {
  forEachDatabase((open) => {
    let test: RenewingRegistry
    beforeEach(async () => {
      test = await renewingRegistry(await open())
    })
    afterEach(() => test.registry.close())

    const objectOf = async ({ signId }: Pick<RenewedDocument, 'signId'>) =>
      (await test.registry.get(RenewedProofs).of([signId])).get(signId)?.object ?? Buffer.alloc(0)

    async function renewed() {
      const [document] = await test.documents(1)
      if (document === undefined) throw new Error('no document')
      test.tsa.rollOver(5)
      await test.renew(true)
      return document
    }

    it('have what proves a signature: its evidence, the hashes of its document and the entry of the log', async () => {
      const document = await renewed()
      const object = readDataObject(await objectOf(document))
      const { documentId, signId } = document
      expect(object).to.include({ documentId, signId, signType: 'cms' })
      expect([...object.digests.keys()]).to.deep.equal([OIDS.sha256])
      expect(Buffer.from(object.proof ?? []).toString()).to.match(/^c2sp\.org\/tlog-proof@v1\n/)
      expect(object.proofStamp).to.be.instanceOf(Uint8Array)
      expect(object.ocsp).to.be.instanceOf(Uint8Array)
      // The signer's issuer, and those above the time stamp.
      expect(object.certificates.length).to.be.above(2)
    })

    it('stay the same when further hashes are fixed later', async () => {
      const document = await renewed()
      const before = await objectOf(document)
      await test.registry.get(VerifyDocument).execute(anonymous, {
        id: document.documentId,
        query: { digest: OIDS.sha512 },
        upload: uploadOf(document.original),
      })
      expect(Buffer.compare(await objectOf(document), before)).to.equal(0)
      expect((await test.verify(document)).proof).to.deep.include({ by: 'evidenceRecord', ended: 0 })
    })

    it('are of XML signatures, too', async () => {
      const original = Buffer.from(`<a>${Math.random()}</a>`)
      const { signature, document } = test.authorities.person().signXml(original.toString())
      expect(document).to.be.a('string')
      const { documentId, signId = 0 } = await test.registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { signType: 'xml', signature } })
      await test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
      await renewed()
      test.clock.time += DAY
      await test.renew(true)
      expect(readDataObject(await objectOf({ signId }))).to.include({ documentId, signType: 'xml' })
      expect((await test.verify({ documentId, signId, original })).proof).to.deep.include({ by: 'evidenceRecord' })
    })

    it('are of documents that the log does not have, without its proof', async () => {
      await test.registry.close()
      test = await renewingRegistry(await open(), { log: 'off' })
      const document = await renewed()
      expect(readDataObject(await objectOf(document)).proof).to.equal(undefined)
      expect((await test.verify(document)).proof).to.deep.include({ by: 'evidenceRecord', ended: 0 })
    })

    it('show what was changed in the database since they were covered', async () => {
      const document = await renewed()
      const { signId } = document
      const database = test.registry.get(Database)
      await database.query('registry_signatures').where({ sign_id: signId }).increment('stored_at', 1)
      const { code, details } = await rejectionOf(test.verify(document))
      expect([code, details?.reason]).to.deep.equal(['signatureDoesNotCorrespond', 'renewed'])
    })
  })
})
