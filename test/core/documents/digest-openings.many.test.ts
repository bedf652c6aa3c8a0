import { createHash } from 'node:crypto'
import { anonymous, type Caller } from '@signed-registry/core'
import {
  AddSignature,
  ChangeDocumentSettings,
  type DocumentSettings,
  FindDocumentsByDigest,
  FixDigests,
  RegisterDocument,
} from '@signed-registry/core/documents'
import { RegisterPackage, type RegisterPackageRequest } from '@signed-registry/core/packages'
import { RecallOutgoing, SendDocument, SendPackage } from '@signed-registry/core/routing'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { openDatabase } from '#core/database/open.js'
import { KnownDigests } from '#core/documents/known-digests.js'
import { up as digestOpenings } from '#core/documents/migrations/0157-digest-openings.js'
import { ForgetPackages } from '#core/packages/forget-packages.js'
import { employeeCaller, personCaller, systemCaller } from '../../support/core-registry.js'
import { forEachDatabase } from '../../support/databases.js'
import { floodDigest } from '../../support/flooded-digest.js'
import { UNTITLED } from '../../support/packages.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'
import { clerk, PERSON, person, RECEIVER, receiver, SENDER, sender, stranger } from '../../support/routing.js'

const TABLE = 'registry_digest_openings'
const original = Buffer.from('the original that somebody hides among many')
const value = createHash('sha256').update(original).digest()
const SIGNER = '900101300010'
const OTHER = 'IIN123456789016'
const [SHA512, LATER] = ['2.16.840.1.101.3.4.2.3', createHash('sha512').update(original).digest()] as const
const closed = { settings: { private: true }, documentsSettings: { private: true } }

describe('an original with more than ten thousand private registrations', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    let knex: Knex
    before(async () => {
      knex = openDatabase(await open())
      test = await testRegistry(knex)
      await floodDigest(knex, { value, count: 10_100, mark: 1, at: test.clock.time, settings: { private: true } })
      test.clock.time += 100_000
    })
    after(async () => {
      await test.registry.close()
      await knex.destroy()
    })
    beforeEach(() => knex(TABLE).delete())

    const find = async (caller: Caller, hash = value) => {
      const query = { digest: hash.toString('base64') }
      const { documents } = await test.registry.get(FindDocumentsByDigest).execute(caller, { query })
      return documents.map(({ documentId }) => documentId)
    }
    /** A package of one document: one person registers it, and may view it. */
    const register = async (by: Caller, request: Partial<RegisterPackageRequest> = closed) => {
      const { packageId, documentsIds } = await test.registry
        .get(RegisterPackage)
        .execute(by, { request: { ...UNTITLED, ...request, documents: [UNTITLED] } })
      const [id = ''] = documentsIds
      await test.registry.get(FixDigests).execute(by, { id, upload: uploadOf(original) })
      test.clock.time += 1000
      return { packageId, id }
    }
    const withRules = (documentAccess: DocumentSettings['documentAccess'] & object) =>
      register(sender, { documentsSettings: { private: true, documentAccess } })
    const signed = () => test.authorities.person({ iin: SIGNER }).signCms(original).toString('base64')
    const rows = async () => Number((await knex(TABLE).count({ n: '*' }))[0]?.n)

    it('is found by those whom a rule names, and by nobody else', async () => {
      const named = await withRules([{ iin: PERSON }, { bin: RECEIVER, iin: OTHER }])
      expect(await find(person)).to.deep.equal([named.id])
      expect(await find(employeeCaller({ bin: RECEIVER, iin: OTHER }))).to.deep.equal([named.id])
      expect(await find(receiver)).to.deep.equal([named.id])
      for (const other of [personCaller(OTHER), clerk, stranger, systemCaller({ bin: RECEIVER })])
        expect(await find(other)).to.deep.equal([])
    })

    it('is found by the registrator of its package, in the same capacity', async () => {
      const own = await register(person)
      const atWork = await register(employeeCaller({ bin: RECEIVER, iin: PERSON }))
      expect(await find(person)).to.deep.equal([own.id])
      expect(await find(employeeCaller({ bin: RECEIVER, iin: PERSON }))).to.deep.equal([atWork.id])
      expect(await find(receiver)).to.deep.equal([])
    })

    it('is found by receivers, of itself or of its package, once or repeatedly', async () => {
      const byItself = await withRules([{ bin: SENDER }])
      await test.registry.get(SendDocument).execute(sender, { id: byItself.id, request: { to: RECEIVER } })
      const inPackage = await register(sender)
      for (const to of [RECEIVER, PERSON])
        await test.registry.get(SendPackage).execute(sender, { packageId: inPackage.packageId, request: { to } })
      expect(await find(receiver)).to.deep.equal([inPackage.id, byItself.id])
      expect(await find(person)).to.deep.equal([inPackage.id])
      expect(await find(clerk)).to.deep.equal([])
    })

    it('is found as soon as it is delivered, and not before', async () => {
      const { packageId, documentsIds } = await test.registry.get(RegisterPackage).execute(sender, {
        request: { ...closed, ...UNTITLED, documents: [UNTITLED, UNTITLED], send: { to: RECEIVER } },
      })
      const fix = (at: number) =>
        test.registry.get(FixDigests).execute(sender, { id: documentsIds[at] ?? '', upload: uploadOf(original) })
      await fix(0)
      expect(await find(receiver)).to.deep.equal([])
      await fix(1)
      expect(packageId).to.be.a('string')
      expect(await find(receiver)).to.have.members(documentsIds)
    })

    it('is found no more after a recall, unless another item opens it still', async () => {
      const { packageId, id } = await withRules([{ bin: SENDER }])
      const recall = (outgoingId: string) =>
        test.registry.get(RecallOutgoing).execute(sender, { outgoingId, request: {} })
      const send = async (to = RECEIVER) =>
        (await test.registry.get(SendDocument).execute(sender, { id, request: { to } })).outgoingId
      const [byItself, toPerson] = [await send(), await send(PERSON)]
      const inPackage = await test.registry.get(SendPackage).execute(sender, { packageId, request: { to: RECEIVER } })
      await recall(byItself)
      expect(await find(receiver)).to.deep.equal([id])
      await recall(inPackage.outgoingId)
      expect(await find(receiver)).to.deep.equal([])
      expect(await find(person)).to.deep.equal([id])
      await recall(toPerson)
      // Nothing stays that would crowd out what they may view.
      expect(await knex(TABLE).where('opened_to', 'like', 'received %')).to.deep.equal([])
      const again = await send()
      expect(await find(receiver)).to.deep.equal([id])
      await recall(again)
      expect(await find(receiver)).to.deep.equal([])
    })

    it('follows the rules when settings change', async () => {
      const { id } = await withRules([{ iin: PERSON }, { iin: 'IIN123456789017' }])
      await test.registry.get(AddSignature).execute(anonymous, { id, request: { signature: signed() } })
      const change = (request: DocumentSettings) =>
        test.registry.get(ChangeDocumentSettings).execute(personCaller(`IIN${SIGNER}`), { id, request })
      await change({ private: true, documentAccess: [{ iin: 'IIN123456789017' }, { bin: RECEIVER }] })
      expect(await find(person)).to.deep.equal([])
      expect(await find(personCaller('IIN123456789017'))).to.deep.equal([id])
      expect(await find(receiver)).to.deep.equal([id])
      await change({ private: true })
      expect(await find(receiver)).to.deep.equal([])
      expect(await find(sender)).to.deep.equal([id])
    })

    it('is found by a hash that became known later', async () => {
      const { id } = await withRules([{ iin: PERSON }, { bin: SENDER }])
      await test.registry.get(SendDocument).execute(sender, { id, request: { to: RECEIVER } })
      await test.registry.get(KnownDigests).addMissing(id, new Map([[SHA512, LATER]]))
      expect(await find(person, LATER)).to.deep.equal([id])
      expect(await find(receiver, LATER)).to.deep.equal([id])
      expect(await find(sender, LATER)).to.deep.equal([id])
    })

    it('is found by indexes only', async () => {
      await withRules([{ iin: PERSON }])
      const sql = `select document_id from ${TABLE} where value = ? and opened_to = ? order by stored_at, document_id limit 50`
      const isMysql = knex.client.dialect === 'mysql'
      const plan = JSON.stringify(
        await knex.raw(`${isMysql ? 'explain' : 'explain query plan'} ${sql}`, [value, `named ${PERSON}`]),
      )
      expect(plan)
        .to.include('PRIMARY')
        .and.not.match(/filesort|TEMP B-TREE/)
    })

    it('adds no rows where nobody is named', async () => {
      const { documentId: id } = await test.registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { signature: signed(), settings: { private: true } } })
      await test.registry.get(FixDigests).execute(anonymous, { id, upload: uploadOf(original) })
      expect(await rows()).to.equal(0)
    })

    it('leaves nothing behind when it is deleted', async () => {
      const { documentsIds } = await test.registry.get(RegisterPackage).execute(person, {
        request: {
          ...UNTITLED,
          documents: [UNTITLED, UNTITLED],
          documentsSettings: { documentAccess: [{ bin: RECEIVER }] },
        },
      })
      const [id = ''] = documentsIds
      await test.registry.get(FixDigests).execute(person, { id, upload: uploadOf(original) })
      expect(await rows()).to.equal(2)
      test.clock.time += 31 * 24 * 60 * 60_000
      await test.registry.get(ForgetPackages).run()
      expect(await rows()).to.equal(0)
    })

    it('of an earlier release is still found', async () => {
      await withRules([{ iin: PERSON }, { bin: RECEIVER, iin: OTHER }])
      const { packageId, id } = await register(person)
      await test.registry.get(SendPackage).execute(person, { packageId, request: { to: RECEIVER } })
      await test.registry.get(KnownDigests).addMissing(id, new Map([[SHA512, LATER]]))
      const sorted = () => knex(TABLE).orderBy(['value', 'opened_to', 'document_id'])
      const before = await sorted()
      await knex(TABLE).delete()
      await digestOpenings(knex, knex.client.dialect === 'mysql' ? 'mysql' : 'sqlite')
      const ofThese = new Set(before.map(({ document_id }) => document_id))
      expect((await sorted()).filter(({ document_id }) => ofThese.has(document_id))).to.deep.equal(before)
      expect(before).to.have.length(8)
    })
  })
})
