import { createHash } from 'node:crypto'
import { anonymous, type Caller } from '@signed-registry/core'
import {
  ChangeDocumentSettings,
  type DocumentSettings,
  FindDocumentsByDigest,
  FixDigests,
  RegisterDocument,
} from '@signed-registry/core/documents'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { openDatabase } from '#core/database/open.js'
import { DocumentStore } from '#core/documents/document-store.js'
import { up as openDigests } from '#core/documents/migrations/0130-open-digests.js'
import { forEachDatabase } from '../../support/databases.js'
import { floodDigest } from '../../support/flooded-digest.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

const MANY = 6000
const original = Buffer.from('the original that many register')
const value = createHash('sha256').update(original).digest()
const person = (iin: string): Caller => ({ kind: 'person', iin: `IIN${iin}` })
const [HIDDEN, NAMED, STRANGER, EMPLOYEE] = ['900101300010', '900101300028', '900101300036', '900101300051'] as const
const [ELSEWHERE, AT_WORK] = ['BIN200140000019', 'BIN200140000027'] as const
const employee = { iin: `IIN${EMPLOYEE}`, bin: AT_WORK }

describe('one original, registered by many', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    let knex: Knex
    const register = async (iin: string, settings: DocumentSettings = {}) => {
      const signature = test.authorities.person({ iin }).signCms(original).toString('base64')
      const { documentId } = await test.registry
        .get(RegisterDocument)
        .execute(anonymous, { request: { signature, settings } })
      await test.registry.get(FixDigests).execute(anonymous, { id: documentId, upload: uploadOf(original) })
      test.clock.time += 1000
      return documentId
    }
    const find = async (caller: Caller = anonymous) => {
      const query = { digest: value.toString('base64') }
      const { documents } = await test.registry.get(FindDocumentsByDigest).execute(caller, { query })
      return documents.map(({ documentId }) => documentId)
    }
    const flood = (mark: number, at: number, settings: DocumentSettings) =>
      floodDigest(knex, { value, count: MANY, mark, at, settings })
    before(async () => {
      const url = await open()
      knex = openDatabase(url)
      test = await testRegistry(knex)
    })
    after(async () => {
      await test.registry.close()
      await knex.destroy()
    })

    let oldest: string
    let own: string
    let named: string
    let namedLater: string
    let namedAtWork: string
    it('is found by everybody if public, however many private ones there are', async () => {
      const before = test.clock.time
      await flood(1, before, { private: true })
      test.clock.time += 100_000
      oldest = await register(STRANGER)
      own = await register(HIDDEN, { private: true })
      named = await register(STRANGER, { private: true, documentAccess: [{ iin: `IIN${NAMED}` }] })
      const elsewhere = { private: true, documentAccess: [{ iin: `IIN${EMPLOYEE}`, bin: ELSEWHERE }] }
      for (let count = 0; count < 51; count++) await register(STRANGER, elsewhere)
      const rulesOf = (iin: string) => [{ iin: `IIN${NAMED}` }, { iin: `IIN${iin}` }]
      namedLater = await register(STRANGER, { private: true, documentAccess: rulesOf(EMPLOYEE) })
      namedAtWork = await register(STRANGER, { private: true, documentAccess: [employee] })
      await flood(2, test.clock.time, { private: true })
      test.clock.time += 100_000
      expect(await find()).to.deep.equal([oldest])
    })

    it('is found by its signers, and by those whom a rule names', async () => {
      expect(await find(person(HIDDEN))).to.deep.equal([own, oldest])
      expect(await find(person(NAMED))).to.deep.equal([namedLater, named, oldest])
      // However many other rules name the same number.
      expect(await find(person(EMPLOYEE))).to.deep.equal([namedLater, oldest])
      expect(await find({ kind: 'employee', ...employee, authorities: [] })).to.deep.equal([namedAtWork, oldest])
      expect(await find(person('900101300044'))).to.deep.equal([oldest])
    })

    it('is found by its oldest public registration, however many are newer', async () => {
      await flood(3, test.clock.time, {})
      test.clock.time += 100_000
      const newest = await register(STRANGER)
      const found = await find()
      expect(found).to.have.length(50).and.include(oldest)
      expect(found[0]).to.equal(newest)
      expect(await find(person(HIDDEN))).to.include(own)
    })

    it('follows settings and signatures', async () => {
      await test.registry
        .get(ChangeDocumentSettings)
        .execute(person(STRANGER), { id: oldest, request: { private: true } })
      expect(await find()).to.not.include(oldest)
      expect(await find(person(STRANGER))).to.include(oldest)
      await test.registry.get(ChangeDocumentSettings).execute(person(STRANGER), { id: oldest, request: {} })
      expect(await find()).to.include(oldest)
    })

    it('is found by indexes only', async () => {
      if (knex.client.dialect === 'mysql') await knex.raw('analyze table registry_documents, registry_document_digests')
      const sql = `select document_id from registry_document_digests where value = ? and is_open = 1
        order by stored_at asc, document_id asc limit 25`
      if (knex.client.dialect === 'mysql') {
        const [[plan]] = await knex.raw(`explain ${sql}`, [value])
        expect(plan.key).to.equal('registry_document_digests_open')
        expect(plan.Extra).to.not.include('filesort')
      } else {
        const plan = (await knex.raw(`explain query plan ${sql}`, [value])).map(
          ({ detail }: { detail: string }) => detail,
        )
        expect(plan.join()).to.include('registry_document_digests_open').and.not.include('TEMP B-TREE')
      }
    })

    it('of an earlier release is still marked as public or private', async () => {
      const before = await knex('registry_document_digests').orderBy('document_id')
      await knex('registry_document_digests').update({ stored_at: 0, is_open: 0 })
      await openDigests(knex, knex.client.dialect === 'mysql' ? 'mysql' : 'sqlite')
      expect(await knex('registry_document_digests').orderBy('document_id')).to.deep.equal(before)
    })

    it('is found without reading the settings of many at once', async () => {
      const documents = test.registry.get(DocumentStore)
      const read: number[] = []
      const { getAll } = documents
      documents.getAll = (ids) => {
        read.push(ids.length)
        return getAll.call(documents, ids)
      }
      expect(await find()).to.have.length(50)
      expect(Math.max(...read)).to.be.at.most(20)
    })
  })
})
