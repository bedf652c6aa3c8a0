import { createHash } from 'node:crypto'
import { anonymous, type Caller } from '@signed-registry/core'

import {
  ChangeDocumentSettings,
  FindDocumentsByDigest,
  FixDigests,
  GetDocument,
  GetDocumentDigests,
  GetDocumentProof,
  GetDocumentSettingsAudit,
  RegisterDocument,
} from '@signed-registry/core/documents'
import { expect } from 'chai'
import { personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const sha256 = (text: string) => createHash('sha256').update(text).digest('base64')

describe('the proof that a private document is registered', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    before(async () => {
      test = await testRegistry(await open())
    })
    after(() => test.registry.close())

    const signer = personCaller('IIN900101300010')
    const register = async (text: string, settings: object, fix = true) => {
      const original = Buffer.from(text)
      const person = test.authorities.person({ iin: '900101300010' })
      const request = { title: 'Secret.txt', settings, signature: person.signCms(original).toString('base64') }
      const { documentId } = await test.registry.get(RegisterDocument).execute(anonymous, { request })
      if (fix) await test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
      return documentId
    }
    const proof = (id: string, caller: Caller = anonymous, query: { digest?: string } = {}) =>
      test.registry.get(GetDocumentProof).execute(caller, { id, query })
    const refusal = async (attempt: Promise<unknown>) => (await rejectionOf(attempt)).code

    it('says when it was registered and how many signed, and nothing more', async () => {
      const id = await register('shown', { private: true, publicProof: true })
      expect(await proof(id)).to.deep.equal({
        documentId: id,
        storedAt: test.clock.now(),
        signaturesTotal: 1,
        algorithms: [SHA256],
      })
      expect(await proof(id, personCaller())).to.include({ signaturesTotal: 1 })
    })

    it('compares a hash, and reveals none', async () => {
      const id = await register('compared', { private: true, publicProof: true })
      expect(await proof(id, anonymous, { digest: sha256('compared') })).to.include({ matches: true })
      expect(await proof(id, anonymous, { digest: sha256('compareD') })).to.include({ matches: false })
      for (const digest of ['', 'not base64', 'A'.repeat(88)])
        expect(await refusal(proof(id, anonymous, { digest })), digest).to.equal('invalidQueryParameter')
      // It opens nothing else of the document.
      const { registry } = test
      const attempts = [
        () => registry.get(GetDocument).execute(anonymous, { id }),
        () => registry.get(GetDocumentDigests).execute(anonymous, { id }),
        () => registry.get(GetDocumentSettingsAudit).execute(anonymous, { id, query: {} }),
      ]
      for (const attempt of attempts) expect(await refusal(attempt())).to.equal('authenticationRequired')
      const query = { digest: sha256('compared') }
      expect(await registry.get(FindDocumentsByDigest).execute(anonymous, { query })).to.deep.equal({ documents: [] })
    })

    it('is for viewers of the document only if the setting is off, and for nobody before the original is uploaded', async () => {
      const id = await register('closed', { private: true })
      expect(await refusal(proof(id))).to.equal('authenticationRequired')
      expect(await refusal(proof(id, personCaller(), { digest: sha256('closed') }))).to.equal('accessDenied')
      expect(await proof(id, signer)).to.include({ signaturesTotal: 1 })
      expect(await proof(await register('public', {}))).to.include({ signaturesTotal: 1 })
      const waiting = await register('waiting', { private: true, publicProof: true }, false)
      expect(await refusal(proof(waiting))).to.equal('authenticationRequired')
      expect(await refusal(proof(waiting, signer))).to.equal('documentDigestsNotKnown')
      expect(await refusal(proof('0123456789abcdef'))).to.equal('documentNotFound')
    })

    it('is opened and closed only by those who may change the settings, which is audited', async () => {
      const id = await register('switched', { private: true })
      const change = (caller: Caller, publicProof: boolean) =>
        test.registry.get(ChangeDocumentSettings).execute(caller, { id, request: { private: true, publicProof } })
      expect(await refusal(change(personCaller(), true))).to.equal('accessDenied')
      await change(signer, true)
      expect(await proof(id)).to.include({ documentId: id })
      await change(signer, false)
      expect(await refusal(proof(id))).to.equal('authenticationRequired')
      const { events } = await test.registry.get(GetDocumentSettingsAudit).execute(signer, { id, query: {} })
      expect(events.map(({ modified }) => modified.publicProof)).to.deep.equal([true, false])
    })
  })
})
