import { anonymous } from '@signed-registry/core'
import {
  AddSignature,
  ChangeDocumentSettings,
  type DocumentSettings,
  FixDigests,
  GetDocument,
  RegisterDocument,
} from '@signed-registry/core/documents'
import { SignPackage } from '@signed-registry/core/packages'
import { BeginDocumentProcedure, BeginPackageProcedure } from '@signed-registry/core/procedures'
import { expect } from 'chai'
import { UnknownSignatures } from '#core/documents/unknown-signatures.js'
import { SignatureVerifier } from '#core/signatures/signature-verifier.js'
import { personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { fixedPackage, signaturesOver } from '../../support/packages.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

const original = Buffer.from('contract')
const DAY = 24 * 60 * 60_000

describe('signUntil', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    beforeEach(async () => {
      test = await testRegistry(await open())
    })
    afterEach(() => test.registry.close())

    const sign = (iin?: string) =>
      test.authorities
        .person(iin === undefined ? {} : { iin })
        .signCms(original, { timeStamp: true, ocsp: true })
        .toString('base64')
    const register = async (settings: DocumentSettings) => {
      const request = { signature: sign('900101300010'), settings }
      const { documentId: id } = await test.registry.get(RegisterDocument).execute(anonymous, { request })
      await test.registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(original) })
      return id
    }
    const add = (id: string, signature: string) =>
      test.registry.get(AddSignature).execute(anonymous, { id, request: { signature } })
    const change = (id: string, request: DocumentSettings) =>
      test.registry.get(ChangeDocumentSettings).execute(personCaller('IIN900101300010'), { id, request })

    it('lets sign before it and refuses signatures from it on, also those whose time stamp is older', async () => {
      const signUntil = test.clock.now() + 60_000
      const id = await register({ signUntil })
      await add(id, sign())
      const late = sign()
      test.clock.time += 60_000
      const refused = await rejectionOf(add(id, late))
      expect(refused.code).to.equal('signingDeadlinePassed')
      expect(refused.details).to.deep.equal({ signUntil })
      const { signaturesTotal, settings } = await test.registry.get(GetDocument).execute(anonymous, { id })
      expect({ signaturesTotal, settings }).to.deep.equal({ signaturesTotal: 2, settings: { signUntil } })
    })

    it('holds for signatures that come with the original, in a card or a bundle', async () => {
      const id = await register({ signUntil: test.clock.time + 60_000 })
      const verify = (signature: string) => test.registry.get(SignatureVerifier).verify({ signType: 'cms', signature })
      const add = test.registry.get(UnknownSignatures)
      expect(await add.add(id, [await verify(sign())])).to.have.lengthOf(1)
      const late = await verify(sign())
      test.clock.time += 60_000
      expect((await rejectionOf(add.add(id, [late]))).code).to.equal('signingDeadlinePassed')
    })

    it('refuses to begin a procedure of the phone for a signature that would be too late', async () => {
      const signUntil = test.clock.now() + 60_000
      const id = await register({ signUntil })
      const { packageId } = await fixedPackage(test, { documentsSettings: { signUntil } })
      const by = personCaller('IIN900101300010')
      const request = { description: 'Please sign' }
      const begin = async () => {
        const document = test.registry.get(BeginDocumentProcedure).execute(by, { id, request })
        const whole = test.registry.get(BeginPackageProcedure).execute(by, { packageId, request })
        return [(await rejectionOf(document)).code, (await rejectionOf(whole)).code]
      }
      expect(await begin()).to.deep.equal(['dataNotStored', 'dataNotStored'])
      test.clock.time += 60_000
      expect(await begin()).to.deep.equal(['signingDeadlinePassed', 'signingDeadlinePassed'])
    })

    it('can be moved by who may change settings; signing is possible again then', async () => {
      const id = await register({ signUntil: test.clock.now() + 60_000 })
      const late = sign()
      test.clock.time += 60_000
      await change(id, { signUntil: test.clock.now() + 60_000 })
      await add(id, late)
    })

    it('has to be ahead when it is set, at most five years, and stays when it is past and not changed', async () => {
      const now = test.clock.now()
      const wrong = async (signUntil: number) => {
        const refused = await rejectionOf(register({ signUntil }))
        return [refused.code, refused.details]
      }
      expect(await wrong(now)).to.deep.equal(['invalidDocumentSettings', { setting: 'signUntil', reason: 'past' }])
      expect((await wrong(now + 6 * 366 * DAY))[0]).to.equal('invalidDocumentSettings')
      const settings = { signUntil: now + 60_000 }
      const id = await register(settings)
      test.clock.time += 120_000
      expect((await rejectionOf(change(id, { signUntil: now + 90_000 }))).code).to.equal('invalidDocumentSettings')
      await change(id, { ...settings, signaturesLimit: 5 })
    })

    it('holds for all documents of a package', async () => {
      const signUntil = test.clock.now() + 60_000
      const one = await fixedPackage(test, { documentsSettings: { signUntil } })
      const inTime = signaturesOver(one.originals, test.authorities.person())
      const late = signaturesOver(one.originals, test.authorities.person())
      const signPackage = (signatures: typeof late) =>
        test.registry.get(SignPackage).execute(anonymous, { packageId: one.packageId, request: { signatures } })
      await signPackage(inTime)
      test.clock.time += 60_000
      const refused = await rejectionOf(signPackage(late))
      expect(refused.code).to.equal('signingDeadlinePassed')
      expect(refused.details).to.include({ index: 0, signUntil })
    })
  })
})

describe('sequentialSignersRequirements of a package', () => {
  forEachDatabase((open) => {
    it('hold for each document, also when two signers race', async () => {
      const test = await testRegistry(await open())
      const signers = ['900101300010', '900101300021'].map((iin) => ({ iin, key: test.authorities.person({ iin }) }))
      const documentsSettings = {
        strictSignersRequirements: true,
        sequentialSignersRequirements: true,
        signersRequirements: signers.map(({ iin }) => ({ iin: `IIN${iin}` })),
      }
      const one = await fixedPackage(test, { documentsSettings })
      const sign = ({ key }: (typeof signers)[number]) =>
        test.registry.get(SignPackage).execute(anonymous, {
          packageId: one.packageId,
          request: { signatures: signaturesOver(one.originals, key) },
        })
      const outcomes = await Promise.allSettled(signers.toReversed().map(sign))
      const [second] = signers.toReversed()
      if (outcomes[0]?.status === 'rejected' && second) await sign(second)
      for (const id of one.documentsIds) {
        const { signatures } = await test.registry.get(GetDocument).execute(anonymous, { id })
        expect(signatures.map(({ userId }) => userId)).to.deep.equal(signers.map(({ iin }) => `IIN${iin}`))
      }
      await test.registry.close()
    })
  })
})
