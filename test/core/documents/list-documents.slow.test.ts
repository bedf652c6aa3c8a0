import { anonymous, type Caller } from '@signed-registry/core'

import {
  AddSignature,
  FixDigests,
  ListDocuments,
  type ListDocumentsQuery,
  RegisterDocument,
} from '@signed-registry/core/documents'
import type { Subject } from '@signed-registry/dev-authorities'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { personalList } from '#core/documents/document-lists.js'
import { endingsOf } from '#core/documents/word-index.js'
import { forEachDatabase, openSqlite } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry, uploadOf } from '../../support/registry.js'

const HEAD = '1.2.398.3.3.4.1.2.1'
const BIN = 'BIN200140000019'
const original = Buffer.from('contract')

const person = (iin: string): Caller => ({ kind: 'person', iin: `IIN${iin}` })
const employee = (iin: string, bin = BIN, authorities: string[] = []): Caller => ({
  kind: 'employee',
  iin: `IIN${iin}`,
  bin,
  authorities,
})
const system = (bin = BIN): Caller => ({
  kind: 'system',
  bin,
  certificateIndex: 0,
  certificate: 'MA==',
  certificateDigest: '00',
})

describe('GET /api', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    let ivanov: Subject
    let asanova: Subject
    beforeEach(async () => {
      test = await testRegistry(await open(), { limits: { itemsPerPage: 2 } })
      ivanov = test.authorities.person({ iin: '900101300010', surname: 'ИВАНОВ', name: 'ИВАН' })
      asanova = test.authorities.employee({
        iin: '900101300020',
        bin: BIN.slice(3),
        surname: 'ӘСАНОВА',
        organization: 'ТОО "ҚҰРЫЛЫС"',
      })
    })
    afterEach(() => test.registry.close())

    const register = async (signer: Subject, title = '', description = '') => {
      test.clock.time += 1000
      const signature = signer.signCms(original).toString('base64')
      return (
        await test.registry.get(RegisterDocument).execute(anonymous, { request: { title, description, signature } })
      ).documentId
    }
    const preregister = async (title: string) => {
      test.clock.time += 1000
      return (await test.registry.get(RegisterDocument).execute(system(), { request: { title } })).documentId
    }
    const list = (caller: Caller, query: ListDocumentsQuery = {}) =>
      test.registry.get(ListDocuments).execute(caller, { query })
    const idsOf = async (caller: Caller, query: ListDocumentsQuery = {}) =>
      (await list(caller, query)).documents.map(({ documentId }) => documentId)

    it('searches for nothing where the query is blank, and refuses a cursor without a query', async () => {
      const mine = await register(ivanov)
      expect(await idsOf(person('900101300010'), { searchQuery: ' ' })).to.deep.equal([mine])
      const refused = await rejectionOf(list(person('900101300010'), { searchCursor: 'p0.5' }))
      expect(refused.code).to.equal('invalidQueryParameter')
    })

    it('lists what the caller signed, as this person or as this employee', async () => {
      const mine = await register(ivanov)
      const theirs = await register(asanova)
      expect(await idsOf(person('900101300010'))).to.deep.equal([mine])
      expect(await idsOf(employee('900101300020'))).to.deep.equal([theirs])
      expect(await idsOf(person('900101300020'))).to.deep.equal([])
      expect(await idsOf(employee('900101300010'))).to.deep.equal([])
      expect(await idsOf(system())).to.deep.equal([])
    })

    it('lists a document for each of its signers, at the time of its registration', async () => {
      const first = await register(ivanov)
      const second = await register(ivanov)
      await test.registry.get(FixDigests).execute(anonymous, { id: first, upload: uploadOf(original) })
      test.clock.time += 1000
      await test.registry
        .get(AddSignature)
        .execute(anonymous, { id: first, request: { signature: asanova.signCms(original).toString('base64') } })
      const own = await register(asanova)
      expect(await idsOf(person('900101300010'))).to.deep.equal([second, first])
      expect(await idsOf(employee('900101300020'))).to.deep.equal([own, first])
      expect(await idsOf(employee('900101300030', BIN, [HEAD]), { organization: true })).to.deep.equal([own, first])
    })

    it('lists documents of the organization to its first head, and to those whom documentsList names', async () => {
      const signed = await register(asanova)
      const preregistered = await preregister('draft')
      const head = employee('900101300030', BIN, [HEAD])
      expect(await idsOf(head, { organization: true })).to.deep.equal([preregistered, signed])
      const other = employee('900101300030', 'BIN000000000001', [HEAD])
      expect(await idsOf(other, { organization: true })).to.deep.equal([])
      const codeOf = async (caller: Caller) => (await rejectionOf(list(caller, { organization: true }))).code
      expect(await codeOf(employee('900101300040'))).to.equal('accessDenied')
      expect(await codeOf(system())).to.equal('accessDenied')
      expect(await codeOf(person('900101300010'))).to.equal('notOrganization')
      expect(await codeOf(anonymous)).to.equal('authenticationRequired')
    })

    it('pages by until, counts the whole window, and ends with an empty array', async () => {
      const ids: string[] = []
      for (let i = 0; i < 5; i += 1) ids.unshift(await register(ivanov, `n${i}`))
      const read: string[] = []
      const totals: number[] = []
      for (let until = Number.MAX_SAFE_INTEGER; ; ) {
        const page = await list(person('900101300010'), { until })
        totals.push(page.documentsTotal)
        if (page.documents.length === 0) break
        read.push(...page.documents.map(({ documentId }) => documentId))
        until = page.documents.at(-1)?.storedAt ?? 0
      }
      expect(read).to.deep.equal(ids)
      expect(totals).to.deep.equal([5, 3, 1, 0])
    })

    it('includes signatures on request', async () => {
      await register(ivanov, 'a.txt')
      const [plain] = (await list(person('900101300010'))).documents
      expect(plain).to.include({ title: 'a.txt', signaturesTotal: 1, dataArchived: false, signedDataSize: 0 })
      expect(plain).to.not.have.property('signatures')
      const [full] = (await list(person('900101300010'), { includeSignatures: true })).documents
      expect(full?.signatures?.map(({ userId }) => userId)).to.deep.equal(['IIN900101300010'])
    })

    it('filters by dataArchived', async () => {
      await register(ivanov)
      expect(await idsOf(person('900101300010'), { dataArchived: true })).to.deep.equal([])
      expect(await idsOf(person('900101300010'), { dataArchived: false })).to.have.length(1)
    })

    it('works in a transaction of the caller, which asks one thing after another', async () => {
      const inTransaction = (query: ListDocumentsQuery) =>
        test.registry.get(Database).transaction(() => list(person('900101300010'), query))
      for (const query of [{}, { incomplete: true }, { dataArchived: false }])
        expect(await inTransaction(query)).to.deep.equal(await list(person('900101300010'), query))
    })

    describe('with searchQuery', () => {
      const me = employee('900101300020')
      let contract: string
      let act: string
      beforeEach(async () => {
        contract = await register(asanova, 'Договор №15.pdf', 'Жалға алу: Құрылыс алаңы')
        act = await register(asanova, 'Act of acceptance.docx', 'приемка по договору')
      })
      const finds = async (searchQuery: string, caller = me) => {
        const { documents, documentsTotal } = await list(caller, { searchQuery })
        expect(documentsTotal).to.be.at.least(documents.length)
        return documents.map(({ documentId }) => documentId)
      }

      it('finds all words by substrings, in title and description, in any case', async () => {
        expect(await finds('ДОГОВОР')).to.deep.equal([act, contract])
        expect(await finds('договор pdf')).to.deep.equal([contract])
        expect(await finds('ACCEPT act')).to.deep.equal([act])
        expect(await finds('ҚҰРЫЛЫС алаң')).to.deep.equal([contract])
        expect(await finds('договор absent')).to.deep.equal([])
        expect(await finds('оговор')).to.deep.equal([act, contract])
        expect(await finds('5.pdf')).to.deep.equal([contract])
        expect(await finds('ЫЛЫ лаң')).to.deep.equal([contract])
        expect(await finds('договорр')).to.deep.equal([])
      })

      it('finds by names, IIN, BIN and organization of any signer', async () => {
        expect(await finds('әсанова')).to.deep.equal([act, contract])
        expect(await finds('900101300020')).to.have.length(2)
        expect(await finds('IIN900101300020')).to.have.length(2)
        expect(await finds(BIN)).to.have.length(2)
        await test.registry.get(FixDigests).execute(anonymous, { id: act, upload: uploadOf(original) })
        const signature = ivanov.signCms(original).toString('base64')
        await test.registry.get(AddSignature).execute(anonymous, { id: act, request: { signature } })
        expect(await finds('иванов')).to.deep.equal([act])
        expect(await finds('договор', person('900101300010'))).to.deep.equal([act])
      })

      it('finds nothing in lists of others', async () => {
        expect(await finds('договор', employee('900101300099'))).to.deep.equal([])
      })

      for (const query of ['%', '_', "' or 1=1 --", '*', '+договор -pdf"', '\\', '\u{10ffff}', '()']) {
        it(`takes ${JSON.stringify(query)} for text, not for operators`, async () => {
          expect((await finds(query)).length).to.be.at.most(1)
        })
      }

      it('refuses a query of a megabyte', async () => {
        const refused = await rejectionOf(list(me, { searchQuery: 'я'.repeat(1_000_000) }))
        expect(refused.code).to.equal('requestFieldTooLarge')
      })

      it('reads on through many matches, page by page', async () => {
        const ids = [act, contract]
        for (let i = 0; i < 3; i += 1) ids.unshift(await register(asanova, `договор ${i}`))
        const read: string[] = []
        for (let until = Number.MAX_SAFE_INTEGER; ; ) {
          const { documents } = await list(me, { searchQuery: 'договор', until })
          if (documents.length === 0) break
          read.push(...documents.map(({ documentId }) => documentId))
          until = documents.at(-1)?.storedAt ?? 0
        }
        expect(read).to.deep.equal(ids)
      })
    })
  })
})

describe('GET /api with searchQuery over very many documents', () => {
  /** Documents in a list, with some words in turn. */
  async function fill(registry: TestRegistry['registry'], list: string, count: number, words: readonly string[]) {
    const { query } = registry.get(Database)
    const many = `with recursive n(i) as (select 1 union all select i + 1 from n where i < ${count})`
    const word = `case i % ${words.length} ${words.map((one, at) => `when ${at} then '${one}'`).join(' ')} end`
    const document = "printf('%016d', i)"
    await query.raw(`insert into registry_timelines (list, at, item) ${many} select ?, i, ${document} from n`, [list])
    await query.raw(
      `insert into registry_search_texts (document_id, part, words) ${many} select ${document}, 0, ${word} from n`,
    )
    await query.raw(
      `insert into registry_search_words (word, at, document_id) ${many} select ${word}, i, ${document} from n`,
    )
    for (const one of words) {
      await query('registry_search_endings').insert(endingsOf(one).map((ending) => ({ ending, word: one })))
    }
  }
  const mine = personalList('IIN900101300010')
  const searched = (registry: TestRegistry['registry'], searchQuery: string) =>
    registry.get(ListDocuments).execute(person('900101300010'), { query: { searchQuery } })

  it('reads no more for a term that very many words contain', async () => {
    const { registry } = await testRegistry(await openSqlite())
    await fill(registry, mine, 60_000, ['иванов', 'петров', 'сидорова'])
    const { query } = registry.get(Database)
    const names = Array.from({ length: 5000 }, (_, n) => `${n}ов`)
    for (let at = 0; at < names.length; at += 250) {
      const rows = names.slice(at, at + 250).flatMap((word) => endingsOf(word).map((ending) => ({ ending, word })))
      for (let from = 0; from < rows.length; from += 250)
        await query('registry_search_endings').insert(rows.slice(from, from + 250))
    }
    const asked: string[] = []
    query.on('query', ({ sql }: { sql: string }) => asked.push(sql))
    expect((await searched(registry, 'ов')).documentsTotal).to.equal(1000)
    expect(asked.filter((sql) => sql.includes('registry_search')).length).to.be.at.most(4)
    await registry.close()
  })
})
