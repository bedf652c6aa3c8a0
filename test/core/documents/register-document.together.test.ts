import { FixDigests, GetDocument, RegisterDocument, VerifyDocument } from '@signed-registry/core/documents'
import { expect } from 'chai'
import { openDatabase } from '#core/database/open.js'
import { anonymous } from '#core/identity/index.js'
import { forEachDatabase } from '../../support/databases.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

describe('documents that are registered at the same time', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    let statements: string[] = []

    before(async () => {
      const knex = openDatabase(await open())
      test = await testRegistry(knex)
      knex.on('query', ({ sql }: { sql: string }) => statements.push(sql))
    })
    after(async () => {
      await test.registry.close()
      if (typeof test.database !== 'string') await test.database.destroy()
    })

    beforeEach(() => {
      statements = []
    })

    const register = (signature: string, title: string) =>
      test.registry.get(RegisterDocument).execute(anonymous, { request: { title, signature } })
    const signed = (text: string) => {
      const signer = test.authorities.person()
      return signer.signCms(Buffer.from(text), { timeStamp: true, ocsp: true }).toString('base64')
    }

    it('are stored by few statements, each as if it were alone', async () => {
      const titles = Array.from({ length: 20 }, (_, at) => `contract ${at}`)
      const registered = await Promise.all(titles.map((title) => register(signed(title), title)))
      expect(statements.filter((sql) => sql.startsWith('insert into `registry_documents`'))).to.have.length.below(5)
      for (const [at, { documentId: id, signId }] of registered.entries()) {
        const document = await test.registry.get(GetDocument).execute(anonymous, { id })
        expect(document).to.include({ title: titles[at], signaturesTotal: 1 })
        expect(document.signatures.map((signature) => signature.signId)).to.deep.equal([signId])
      }
      expect(new Set(registered.map(({ signId }) => signId)).size).to.equal(titles.length)
    })

    it('are refused one by one: the others are registered', async () => {
      const twice = signed('twice')
      const outcomes = await Promise.allSettled(
        [signed('one'), twice, twice, signed('two')].map((signature, at) => register(signature, `contract ${at}`)),
      )
      const refused = outcomes.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason] : []))
      expect(refused).to.have.length(1)
      expect(refused[0]).to.include({ code: 'signatureAlreadySubmitted' })
      expect(outcomes[0]?.status).to.equal('fulfilled')
      expect(outcomes[3]?.status).to.equal('fulfilled')
    })

    it('keep their evidence byte for byte', async () => {
      const texts = ['a', 'b', 'c']
      const registered = await Promise.all(texts.map((text) => register(signed(text), text)))
      for (const [at, { documentId: id }] of registered.entries()) {
        const original = Buffer.from(texts[at] ?? '')
        await test.registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(original) })
        const verified = await test.registry.get(VerifyDocument).execute(anonymous, { id, upload: uploadOf(original) })
        expect(verified).to.include({ documentId: id, signaturesTotal: 1 })
      }
    })
  })
})
