import { anonymous, type Caller } from '@signed-registry/core'
import { AddSignature, FixDigests, RegisterDocument } from '@signed-registry/core/documents'
import { RegisterPackage } from '@signed-registry/core/packages'
import { ListOutgoing, SendDocument, SendPackage } from '@signed-registry/core/routing'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { ForgetDocuments } from '#core/documents/forget-documents.js'
import { ForgetPackages } from '#core/packages/forget-packages.js'
import { personCaller, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { UNTITLED } from '../../support/packages.js'
import { type TestClock, testClock } from '../../support/pki/authorities.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'
import { person, sender } from '../../support/routing.js'

const DAY = 24 * 60 * 60_000
const RETENTION = 30 * DAY
const system = systemCaller({ certificate: Buffer.from('certificate').toString('base64') })
const original = Buffer.from('original')

describe('documents and packages that never got their originals', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    let clock: TestClock
    beforeEach(async () => {
      clock = testClock()
      test = await testRegistry(await open(), { clock })
    })
    afterEach(() => test.registry.close())

    const rows = async (table: string) =>
      Number((await test.registry.get(Database).query(table).count({ n: '*' }))[0]?.n)
    const register = (caller: Caller = anonymous, count = 2) =>
      test.registry
        .get(RegisterPackage)
        .execute(caller, { request: { ...UNTITLED, documents: Array(count).fill(UNTITLED) } })
    const fix = async (
      { documentsIds, dataSecret }: Awaited<ReturnType<typeof register>>,
      count: number,
      caller: Caller = anonymous,
    ) => {
      for (const id of documentsIds.slice(0, count)) {
        const query = { ...(dataSecret && { dataSecret }) }
        await test.registry.get(FixDigests).execute(caller, { id, upload: uploadOf(original), query })
      }
    }
    const preregister = async () =>
      (await test.registry.get(RegisterDocument).execute(system, { request: { title: 'a' } })).documentId
    const kept = async () => {
      await test.registry.get(ForgetPackages).run()
      await test.registry.get(ForgetDocuments).run()
      return [
        await rows('registry_packages'),
        await rows('registry_documents'),
        await rows('registry_document_digests'),
      ]
    }

    it('are deleted after 30 days without all originals or a signature, whoever registered them', async () => {
      await register()
      await fix(await register(), 1)
      await register(personCaller())
      await fix(await register(system), 1, system)
      await preregister()
      clock.time += RETENTION - 1
      expect(await kept()).to.deep.equal([4, 9, 2])
      clock.time += 1
      expect(await kept()).to.deep.equal([0, 0, 0])
      expect([await rows('registry_timelines'), await rows('registry_waiting_documents')]).to.deep.equal([0, 0])
      expect([await rows('registry_search_texts'), await rows('registry_search_words')]).to.deep.equal([0, 0])
    })

    it('stay when they are complete or signed', async () => {
      await fix(await register(), 2)
      const signed = await register()
      await fix(signed, 1)
      const signature = test.authorities.person().signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
      const [id = ''] = signed.documentsIds
      await test.registry.get(AddSignature).execute(anonymous, { id, request: { signature } })
      const complete = await preregister()
      await test.registry.get(FixDigests).execute(system, { id: complete, upload: uploadOf(original) })
      clock.time += RETENTION
      expect(await kept()).to.deep.equal([2, 5, 4])
      expect(await rows('registry_waiting_documents')).to.equal(0)
      clock.time += RETENTION
      expect(await kept()).to.deep.equal([2, 5, 4])
    })

    it('stay for ever if the operator configures it', async () => {
      const own = await testRegistry(await open(), { clock, limits: { incompleteRetentionMs: 0 } })
      await own.registry.get(RegisterPackage).execute(anonymous, { request: { ...UNTITLED, documents: [UNTITLED] } })
      await own.registry.get(RegisterDocument).execute(system, { request: {} })
      clock.time += 100 * RETENTION
      await own.registry.get(ForgetPackages).run()
      await own.registry.get(ForgetDocuments).run()
      const { query } = own.registry.get(Database)
      expect(Number((await query('registry_documents').count({ n: '*' }))[0]?.n)).to.equal(2)
      await own.registry.close()
    })

    it('leave items without details', async () => {
      const { packageId } = await register()
      await test.registry.get(SendPackage).execute(sender, { packageId, request: { to: person.iin } })
      clock.time += RETENTION
      const id = await preregister()
      await test.registry.get(SendDocument).execute(sender, { id, request: { to: person.iin } })
      clock.time += RETENTION
      expect((await kept())[1]).to.equal(0)
      const { items } = await test.registry.get(ListOutgoing).execute(sender, { query: { includeDetails: true } })
      expect(items.map((item) => [item.packageId ?? item.documentId, item.package, item.document])).to.deep.equal([
        [id, undefined, undefined],
        [packageId, undefined, undefined],
      ])
      expect(items.map(({ detailsLeftOut }) => detailsLeftOut)).to.deep.equal(['forgotten', 'forgotten'])
    })
  })
})
