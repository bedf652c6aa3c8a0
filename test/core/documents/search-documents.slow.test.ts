import type { Caller } from '@signed-registry/core'
import { ListDocuments, type ListDocumentsQuery } from '@signed-registry/core/documents'
import { expect } from 'chai'
import { Database } from '#core/database/database.js'
import { openDatabase } from '#core/database/open.js'
import { organizationList, partOf } from '#core/documents/document-lists.js'
import { isInside, WordIndex, wordsOf } from '#core/documents/word-index.js'
import { forEachDatabase } from '../../support/databases.js'
import { rejectionOf } from '../../support/refusal.js'
import { type TestRegistry, testRegistry } from '../../support/registry.js'

const BIN = 'BIN200140000019'
const head: Caller = { kind: 'employee', iin: 'IIN900101300010', bin: BIN, authorities: ['1.2.398.3.3.4.1.2.1'] }
const STATES = ['incomplete', 'hashed'] as const
/** Reads of a test that never ends. */
const MOST_PAGES = 2000

interface Known {
  readonly id: string
  readonly at: number
  readonly words: readonly string[]
  readonly state: (typeof STATES)[number]
}

/** Numbers that repeat with a seed. */
function randomBy(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

describe('searchQuery of GET /api, followed by its cursors', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    const start = async (searchedDocuments: number, itemsPerPage = 3) => {
      test = await testRegistry(await open(), { limits: { itemsPerPage, searchedDocuments } })
    }
    afterEach(() => test.registry.close())

    /** Puts documents into the list of the organization, and some words into documents of others. */
    const fill = async (documents: readonly Known[], list = organizationList(BIN)) => {
      const { registry } = test
      const database = registry.get(Database)
      await database.transaction(async () => {
        await database.insert(
          'registry_documents',
          documents.map(({ id, at }) => ({ id, stored_at: at, title: id, description: '', settings: '{}' })),
        )
        const entries = documents.flatMap(({ id: item, at, state }) => [
          { list, at, item },
          { list: partOf(list, state), at, item },
        ])
        await database.insert('registry_timelines', entries)
        await registry.get(WordIndex).add(documents.map(({ id: item, at, words }) => ({ item, at, part: 0, words })))
      })
    }
    const page = (query: ListDocumentsQuery) =>
      test.registry.get(ListDocuments).execute(head, { query: { organization: true, ...query } })
    /** The pages of a search, to its end. */
    const pagesOf = async (query: ListDocumentsQuery, begin?: '') => {
      const pages: string[][] = []
      for (let searchCursor: string | undefined = begin; pages.length < MOST_PAGES; ) {
        const answer = await page({ ...query, ...(searchCursor !== undefined && { searchCursor }) })
        pages.push(answer.documents.map(({ documentId }) => documentId))
        searchCursor = answer.searchCursor
        if (searchCursor === undefined) return pages
      }
      throw new Error('The search does not end')
    }

    /** What is found, as it is defined: every term in a word; what has all known terms as words comes first. */
    const expected = (documents: readonly Known[], searchQuery: string, known: ReadonlySet<string>) => {
      const terms = wordsOf(searchQuery)
      const exact = terms.filter((term) => known.has(term))
      const found = documents.filter(({ words }) => terms.every((term) => words.some((word) => isInside(term, word))))
      const isExact = ({ words }: Known) => exact.length > 0 && exact.every((term) => words.includes(term))
      return { all: found.map(({ id }) => id), exact: found.filter(isExact).map(({ id }) => id) }
    }

    const VOCABULARY = [
      'a',
      'ab',
      'abc',
      'bab',
      'cab',
      'c',
      '7',
      '77',
      '12345678',
      '123456789012',
      'iin123456789012',
      'n12',
    ]
    const QUERIES = [
      'ab',
      'a',
      'abc ab',
      'b',
      'ab b',
      'ba',
      'c a',
      '7',
      '77 ab',
      '1234',
      '345678',
      '12345678',
      'in1234',
      'n12',
      'x',
      'ab x',
      '12345678 ab 7',
      'bc',
      'iin1234',
      'a b c',
    ]

    for (const [seed, searched] of [
      [1, 4],
      [2, 9],
      [3, 40],
      [4, 400],
    ] as const)
      it(`finds every document once, those with the words themselves first, ${searched} entries at a time`, async () => {
        await start(searched)
        const random = randomBy(seed)
        const documents = Array.from(
          { length: 120 },
          (_, n): Known => ({
            id: `doc${String(n).padStart(13, '0')}`,
            at: 1000 + random(60),
            words: [
              ...new Set(Array.from({ length: 1 + random(3) }, () => VOCABULARY[random(VOCABULARY.length)] ?? 'a')),
            ],
            state: STATES[random(2)] ?? 'hashed',
          }),
        )
        await fill(documents)
        const others = documents.slice(0, 60).map((one) => ({ ...one, id: `other${one.id.slice(5)}` }))
        await fill(others, organizationList('BIN000000000001'))
        const known = new Set(documents.flatMap(({ words }) => words))
        for (const searchQuery of QUERIES)
          for (const incomplete of [undefined, true]) {
            const query = { searchQuery, ...(incomplete && { incomplete }) }
            const pages = await pagesOf(query, '')
            const { all, exact } = expected(
              documents.filter(({ state }) => !incomplete || state === 'incomplete'),
              searchQuery,
              known,
            )
            const about = `${searchQuery}, ${incomplete}`
            expect(pages.flat().sort(), about).to.deep.equal([...all].sort())
            // All of them may stand on one page; else none with parts of words comes before the last with words.
            const read = pages.flat()
            if (pages.length > 1) expect(new Set(read.slice(0, exact.length)), about).to.deep.equal(new Set(exact))
          }
      })

    const made = (n: number, words: readonly string[]): Known => ({
      id: `doc${String(n).padStart(13, '0')}`,
      at: 1000 + n,
      words,
      state: 'hashed',
    })

    it('finds a document by exact words at once, however many have them inside others', async () => {
      await start(500)
      await fill(Array.from({ length: 3000 }, (_, n) => made(n, [`project${n % 1000}`, `number${n}`])))
      const { documents, searchCursor } = await page({ searchQuery: 'project7 number7' })
      expect(documents.map(({ documentId }) => documentId)).to.deep.equal([made(7, []).id])
      expect(searchCursor).to.be.a('string')
    })

    it('begins with exact words where the cursor is empty, else is newest first and complete by until alone', async () => {
      await start(500)
      await fill(Array.from({ length: 20 }, (_, n) => made(n, [n === 4 ? 'contract' : 'contracts'])))
      const exact = await page({ searchQuery: 'contract', searchCursor: '' })
      expect(exact.documents.map(({ documentId }) => documentId)).to.deep.equal([made(4, []).id])
      const read: string[] = []
      for (let until = Number.MAX_SAFE_INTEGER; ; ) {
        const { documents } = await page({ searchQuery: 'contract', until })
        if (documents.length === 0) break
        read.push(...documents.map(({ documentId }) => documentId))
        until = documents.at(-1)?.storedAt ?? 0
      }
      expect(read).to.deep.equal(Array.from({ length: 20 }, (_, n) => made(19 - n, []).id))
    })

    it('says that more may match where it has found nothing yet, and goes on to the end', async () => {
      await start(200)
      await fill(
        Array.from({ length: 2000 }, (_, n) => made(n, n === 3 ? ['first', 'second'] : [n % 2 ? 'first' : 'second'])),
      )
      const first = await page({ searchQuery: 'first second' })
      expect(first).to.deep.include({ documents: [], documentsTotal: 0 })
      expect(first.searchCursor).to.be.a('string')
      const pages = await pagesOf({ searchQuery: 'first second' })
      expect(pages.flat()).to.deep.equal([made(3, []).id])
      expect(pages.length).to.be.within(3, 40)
    })

    it('finds long numbers whole and by their beginnings, with the prefix of an IIN or without', async () => {
      await start(1000)
      await fill([made(1, ['iin900101300020', '20240001']), made(2, ['n1020', '1020'])])
      const idsOf = async (searchQuery: string) => (await pagesOf({ searchQuery })).flat()
      for (const query of ['900101300020', '9001', 'iin9001', 'IIN900101300020', '2024', '20240001'])
        expect(await idsOf(query), query).to.deep.equal([made(1, []).id])
      for (const query of ['300020', '240001', 'in9001', 'n9001']) expect(await idsOf(query), query).to.deep.equal([])
      expect(await idsOf('20')).to.deep.equal([made(2, []).id, made(1, []).id])
      expect(await idsOf('102')).to.deep.equal([made(2, []).id])
    })

    it('finds one character wherever it stands in a word, also of two code units', async () => {
      await start(1000)
      await fill([made(1, ['a𐐨']), made(2, ['𐐨a']), made(3, ['ab'])])
      for (const [searchQuery, found] of [
        ['𐐨', [2, 1]],
        ['a', [3, 2, 1]],
      ] as const)
        expect((await pagesOf({ searchQuery })).flat()).to.deep.equal(found.map((n) => made(n, []).id))
    })

    it('depends on no word that only others have', async () => {
      await start(1000)
      await fill(Array.from({ length: 8 }, (_, n) => made(n, [n === 2 ? 'contract' : 'contracts', 'unmentionable'])))
      const searchQuery = 'contract mention'
      const before = await page({ searchQuery, searchCursor: '' })
      expect(before).to.have.property('searchCursor')
      const others = Array.from({ length: 300 }, (_, n) => ({
        ...made(n, ['mention']),
        id: `other${10_000_000_000 + n}`,
      }))
      await fill(others, organizationList('BIN000000000001'))
      expect(await page({ searchQuery, searchCursor: '' })).to.deep.equal(before)
    })

    it('looks each document up once for a term, however many words have it', async () => {
      const knex = openDatabase(await open())
      test = await testRegistry(knex, { limits: { searchedDocuments: 1000 } })
      await fill(Array.from({ length: 300 }, (_, n) => made(2 * n, ['own'])))
      const others = Array.from({ length: 600 }, (_, n) => ({
        ...made(n, [`variant${n % 60}`]),
        id: `other${10_000_000_000 + n}`,
      }))
      await fill(others, organizationList('BIN000000000001'))
      const asked: string[] = []
      knex.on('query', ({ sql }: { sql: string }) => asked.push(sql))
      await page({ searchQuery: 'variant' })
      const reads = asked.filter((sql) => sql.includes('as found') && sql.includes('registry_timelines'))
      expect(reads).to.not.be.empty
      for (const sql of reads) expect(sql.split('exists (').length - 1).to.be.at.most(2)
      await knex.destroy()
    })

    it('reads on after a page that was cut for its size', async () => {
      test = await testRegistry(await open(), { limits: { itemsPerPage: 10, searchedDocuments: 1000, pageBytes: 500 } })
      await fill(Array.from({ length: 8 }, (_, n) => made(n, [n % 2 ? 'word' : 'words'])))
      const pages = await pagesOf({ searchQuery: 'word' })
      expect(pages.length).to.be.above(1)
      expect((await pagesOf({ searchQuery: 'word' }, '')).flat().sort()).to.deep.equal(pages.flat().sort())
      expect(pages.flat().sort()).to.deep.equal(Array.from({ length: 8 }, (_, n) => made(n, []).id))
    })

    it('refuses what is no cursor', async () => {
      await start(10)
      for (const searchCursor of ['x', 'w1.', '17', 'w1.1 or 1=1', `w${'1'.repeat(9)}`])
        expect((await rejectionOf(page({ searchQuery: 'a', searchCursor }))).code).to.equal('invalidQueryParameter')
    })
  })
})
