import type { Caller } from '@signed-registry/core'

import { ListDocuments, type ListDocumentsQuery } from '@signed-registry/core/documents'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { openDatabase } from '#core/database/open.js'
import { forEachDatabase } from '../../support/databases.js'
import { addManyDocuments, timeOf } from '../../support/many-documents.js'
import { NOW, testClock } from '../../support/pki/authorities.js'
import { type TestRegistry, testRegistry } from '../../support/registry.js'

const many = { bin: 'BIN200140000019', iin: 'IIN900101300010', count: 5000, from: NOW - 5_000_000_000, step: 1_000_000 }
const head: Caller = { kind: 'employee', iin: many.iin, bin: many.bin, authorities: ['1.2.398.3.3.4.1.2.1'] }
const middle = timeOf(many, many.count / 2)

interface Asked {
  readonly sql: string
  readonly bindings: Knex.RawBinding[]
}

/** The full table scans of a query plan. */
async function scans(knex: Knex, { sql, bindings }: Asked): Promise<string[]> {
  if (knex.client.dialect === 'mysql') {
    const [plan]: { type: string | null; table: string | null }[][] = await knex.raw(`explain ${sql}`, bindings)
    // Derived tables (<…>) hold only what was selected into them.
    return (plan ?? []).flatMap(({ type, table }) =>
      type === 'ALL' && !table?.startsWith('<') ? [`${table}: ${sql}`] : [],
    )
  }
  const plan: { detail: string }[] = await knex.raw(`explain query plan ${sql}`, bindings)
  return plan.flatMap(({ detail }) =>
    /^SCAN (?!\(?subquery|\d|part|matches|some|CONSTANT)/i.test(detail) ? [`${detail}: ${sql}`] : [],
  )
}

describe('GET /api of a long list', () => {
  forEachDatabase((open) => {
    let test: TestRegistry
    let knex: Knex
    before(async () => {
      const url = await open()
      knex = openDatabase(url)
      test = await testRegistry(knex, { clock: testClock(NOW) })
      await addManyDocuments(knex, many)
      if (knex.client.dialect === 'mysql') {
        await knex.raw(
          'analyze table registry_documents, registry_timelines, registry_search_texts, registry_search_words, registry_originals',
        )
      }
    })
    after(async () => {
      await test.registry.close()
      await knex.destroy()
    })

    const cases: [string, ListDocumentsQuery, { total: number; items: number }][] = [
      ['the first page', {}, { total: 5000, items: 100 }],
      ['a page of long ago', { until: middle }, { total: 2500, items: 100 }],
      ['what is archived', { dataArchived: true }, { total: 4500, items: 100 }],
      ['what is not archived', { dataArchived: false, until: middle }, { total: 250, items: 100 }],
      ['what is not complete', { incomplete: true }, { total: 0, items: 0 }],
      ['a window', { from: middle, until: middle + 10 * many.step }, { total: 10, items: 10 }],
      ['a search for a word of many documents', { searchQuery: 'договор' }, { total: 1000, items: 100 }],
      ['a search for a word of few', { searchQuery: 'редк' }, { total: 100, items: 100 }],
      ['a search inside words', { searchQuery: 'едки' }, { total: 100, items: 100 }],
      ['a search for several words', { searchQuery: 'договор проект77 номер77' }, { total: 11, items: 11 }],
      [
        'a search for words as they are',
        { searchQuery: 'договор левый', searchCursor: '' },
        { total: 1000, items: 100 },
      ],
      ['words as they are, one of few', { searchQuery: 'проект77 левый', searchCursor: '' }, { total: 25, items: 25 }],
      ['a search for a beginning of many words', { searchQuery: 'ном' }, { total: 1000, items: 100 }],
      [
        'a search in a window',
        { searchQuery: 'договор', from: middle, until: middle + 3 * many.step },
        { total: 3, items: 3 },
      ],
    ]
    for (const [name, query, expected] of cases) {
      it(`answers ${name} without a full table scan`, async () => {
        const asked: Asked[] = []
        const watch = (one: Asked) => asked.push(one)
        knex.on('query', watch)
        const list = await test.registry
          .get(ListDocuments)
          .execute(head, { query: { organization: true, ...query } })
          .finally(() => knex.removeListener('query', watch))
        expect({ total: list.documentsTotal, items: list.documents.length }).to.deep.equal(expected)
        const selects = asked.filter(({ sql }) => /^select/i.test(sql))
        expect(selects).to.not.be.empty
        expect((await Promise.all(selects.map((one) => scans(knex, one)))).flat()).to.deep.equal([])
      })
    }
  })
})
