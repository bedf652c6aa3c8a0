import { FixDigests, RegisterDocument, VerifyDocument } from '@signed-registry/core/documents'
import { expect } from 'chai'
import fc from 'fast-check'
import { Database } from '#core/database/database.js'
import { keptBeside, readBeside } from '#core/documents/kept-signature.js'
import { SignatureStore } from '#core/documents/signature-store.js'
import { anonymous } from '#core/identity/index.js'
import { forEachDatabase } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

const original = Buffer.from('What is inside is kept once.\n')
const REFERENCE_BYTES = 9

describe('evidence that a signature carries', () => {
  it('is found again in it octet for octet, and evidence that it does not carry too', () => {
    const evidence = fc.uint8Array({ minLength: 1, maxLength: 40 }).map((bytes) => Uint8Array.of(0x30, ...bytes))
    const others = fc.uint8Array({ maxLength: 40 })
    fc.assert(
      fc.property(evidence, others, others, fc.boolean(), (inside, before, behind, isCarried) => {
        const signature = Buffer.concat(isCarried ? [before, inside, behind] : [before, behind])
        const kept = keptBeside(signature, inside)
        if (isCarried) expect(kept).to.have.length(REFERENCE_BYTES)
        expect(Buffer.from(readBeside(signature, kept))).to.deep.equal(Buffer.from(inside))
      }),
    )
  })

  forEachDatabase((open) => {
    let test: TestRegistry
    before(async () => {
      test = await testRegistry(await open())
    })
    after(() => test.registry.close())

    async function registered(isCarried: boolean) {
      const cms = test.authorities.person().signCms(original, { timeStamp: isCarried, ocsp: isCarried })
      const request = { signature: cms.toString('base64') }
      const { documentId: id, signId = 0 } = await test.registry.get(RegisterDocument).execute(anonymous, { request })
      await test.registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(original) })
      const row = () => test.registry.get(Database).query('registry_signatures').where({ sign_id: signId })
      const [stored] = await test.registry.get(SignatureStore).withEvidence([signId])
      if (stored === undefined) throw new Error('The signature is stored')
      const verify = () => test.registry.get(VerifyDocument).execute(anonymous, { id, upload: uploadOf(original) })
      return { stored, row, verify }
    }

    it('is stored as where it stands in it', async () => {
      const { stored, row, verify } = await registered(true)
      const { time_stamp, ocsp } = await row().first('time_stamp', 'ocsp')
      expect([time_stamp.length, ocsp.length]).to.deep.equal([REFERENCE_BYTES, REFERENCE_BYTES])
      const signature = Buffer.from(stored.signature)
      expect(signature.includes(Buffer.from(stored.timeStamp))).to.equal(true)
      expect([stored.timeStamp[0], stored.ocsp?.[0]]).to.deep.equal([0x30, 0x30])
      expect(await verify()).to.include({ signaturesTotal: 1 })
    })

    it('is read as well where it was stored in full before', async () => {
      const { stored, row, verify } = await registered(true)
      await row().update({ time_stamp: Buffer.from(stored.timeStamp), ocsp: Buffer.from(stored.ocsp ?? []) })
      expect(await verify()).to.include({ signaturesTotal: 1 })
    })

    it('is stored in full where authorities gave it', async () => {
      const { stored, row, verify } = await registered(false)
      const { time_stamp, ocsp } = await row().first('time_stamp', 'ocsp')
      expect([time_stamp.length, ocsp.length]).to.deep.equal([stored.timeStamp.length, stored.ocsp?.length])
      expect(await verify()).to.include({ signaturesTotal: 1 })
    })

    for (const [where, reference] of [
      ['elsewhere in it', [0, 0, 0, 0, 1, 0, 0, 0, 200]],
      ['behind its end', [0, 255, 255, 255, 255, 255, 255, 255, 255]],
    ] as const) {
      it(`proves nothing once the database says that it stands ${where}`, async () => {
        const { row, verify } = await registered(true)
        await row().update({ time_stamp: Buffer.from(reference) })
        expect(await rejectionOf(verify())).to.include({ code: 'invalidTspTimeStamp' })
      })
    }
  })
})
