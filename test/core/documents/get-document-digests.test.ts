import { createHash } from 'node:crypto'
import { anonymous, type Caller } from '@signed-registry/core'

import {
  FindDocumentsByDigest,
  FixDigests,
  GetDocumentDigests,
  RegisterDocument,
} from '@signed-registry/core/documents'
import { expect } from 'chai'
import { personCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

const SHA256 = '2.16.840.1.101.3.4.2.1'
const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('base64')

describe('the hashes of documents', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    before(async () => {
      test = await testRegistry(await open())
    })
    after(() => test.registry.close())

    const register = async (original: Buffer, settings = {}, fix = true) => {
      const signer = test.authorities.person({ iin: '900101300010' })
      const signature = signer.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
      const { registry } = test
      const { documentId } = await registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { signature, settings } })
      if (fix) await registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
      return documentId
    }
    const find = async (original: Buffer, caller: Caller = anonymous) => {
      const { documents } = await test.registry
        .get(FindDocumentsByDigest)
        .execute(caller, { query: { digest: sha256(original) } })
      return documents.map(({ documentId }) => documentId)
    }
    const signer = personCaller('IIN900101300010')

    it('are returned to callers who may view the document, once its original was uploaded', async () => {
      const original = Buffer.from('hashed')
      const get = (id: string, caller: Caller = anonymous) =>
        test.registry.get(GetDocumentDigests).execute(caller, { id })
      const open = await register(original)
      const answer = await get(open)
      expect(answer.digests[SHA256]).to.equal(sha256(original))
      expect(answer).to.include.keys('storedAt', 'digestsFixedAt')
      const waiting = await get(await register(Buffer.from('not yet'), {}, false))
      expect(waiting).to.deep.include({ digests: {} }).and.not.have.property('digestsFixedAt')
      const closed = await register(Buffer.from('closed'), { private: true })
      expect((await rejectionOf(get(closed))).code).to.equal('authenticationRequired')
      expect((await rejectionOf(get(closed, personCaller()))).code).to.equal('accessDenied')
      expect((await get(closed, signer)).digests[SHA256]).to.equal(sha256(Buffer.from('closed')))
    })

    it('find documents, the newest first, and never one that the caller may not view', async () => {
      const original = Buffer.from('found')
      const first = await register(original)
      test.clock.time += 1000
      const second = await register(original)
      test.clock.time += 1000
      const closed = await register(original, { private: true })
      expect(await find(original)).to.deep.equal([second, first])
      expect(await find(original, personCaller())).to.deep.equal([second, first])
      expect(await find(original, signer)).to.deep.equal([closed, second, first])
      expect(await find(Buffer.from('unknown'))).to.deep.equal([])
    })

    it('find documents by any of several, each once, in one request', async () => {
      const [first, second] = [Buffer.from('one of two'), Buffer.from('two of two')]
      const ids = [await register(first)]
      test.clock.time += 1000
      ids.unshift(await register(second))
      const all = [first, second, second, Buffer.from('unknown')].map(sha256)
      const { documents } = await test.registry
        .get(FindDocumentsByDigest)
        .execute(anonymous, { query: { digest: all.join(',') } })
      expect(documents.map(({ documentId }) => documentId)).to.deep.equal(ids)
    })

    it('are refused when they are not hashes in base64, or more than 16', async () => {
      const one = sha256(Buffer.from('found'))
      const wrong = ['', '=', 'AAA', 'AA==AA==', '<b>', Buffer.alloc(65).toString('base64')]
      for (const digest of [...wrong, `${one},`, `${one},=`, Array(17).fill(one).join(',')]) {
        const found = test.registry.get(FindDocumentsByDigest).execute(anonymous, { query: { digest } })
        expect((await rejectionOf(found)).code, digest).to.equal('invalidQueryParameter')
      }
    })
  })
})
