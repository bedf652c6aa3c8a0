import type { Caller } from '@signed-registry/core'

import { ListDocuments } from '@signed-registry/core/documents'
import { expect } from 'chai'
import { coreMigrations } from '#core/core-areas.js'
import { migrate } from '#core/database/migrate.js'
import { openDatabase } from '#core/database/open.js'
import { personalList } from '#core/documents/document-lists.js'
import { forEachEmptyDatabase } from '../../../support/databases.js'
import { testRegistry } from '../../../support/registry.js'

const BEFORE = '0020'
const me: Caller = { kind: 'person', iin: 'IIN900101300010' }
const list = personalList(me.iin)

/** Documents as they were kept when every list had the words of each. */
const kept = Array.from({ length: 450 }, (_, n) => ({
  id: `old${String(n).padStart(13, '0')}`,
  stored_at: 1_700_000_000_000 + n,
  title: `Договор ${n}.pdf`,
  description: '',
  settings: '{}',
  search_words: JSON.stringify(['договор', `${n}`, 'pdf', 'iin900101300010', '900101300010']),
}))

describe('the migration of search words', () => {
  forEachEmptyDatabase((open) => {
    it('makes older documents searchable like new ones, also after an interruption', async () => {
      const knex = openDatabase(await open())
      await migrate(
        knex,
        coreMigrations.filter(({ name }) => name < BEFORE),
      )
      await knex.batchInsert('registry_documents', kept, 100)
      await knex.batchInsert(
        'registry_timelines',
        kept.map(({ id, stored_at: at }) => ({ list, at, item: id })),
        100,
      )
      const broken = kept.map((one) => (one.id === kept[327]?.id ? { ...one, search_words: 'no JSON' } : one))[327]
      await knex('registry_documents').where({ id: broken?.id }).update({ search_words: broken?.search_words })
      const cut = await migrate(knex, coreMigrations).catch((error: unknown) => error)
      expect(cut).to.be.instanceOf(SyntaxError)
      await knex('registry_documents').where({ id: broken?.id }).update({ search_words: kept[327]?.search_words })

      const { registry } = await testRegistry(knex)
      const found = async (searchQuery: string) =>
        (await registry.get(ListDocuments).execute(me, { query: { searchQuery } })).documents.map(({ title }) => title)
      expect(await found('оговор 449')).to.deep.equal(['Договор 449.pdf'])
      expect(await found('327.pdf 90010130001')).to.deep.equal(['Договор 327.pdf'])
      expect(await found('iin900101300010')).to.have.length(100)
      expect(await knex('registry_search_words').where({ word: '900101300010' })).to.deep.equal([])
      await registry.close()
      await knex.destroy()
    })
  })
})
