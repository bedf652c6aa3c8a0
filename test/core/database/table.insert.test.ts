import { expect } from 'chai'
import type { Knex } from 'knex'
import { Database } from '#core/database/database.js'
import { isUniqueViolation } from '#core/database/dialect.js'
import { openDatabase } from '#core/database/open.js'
import { forEachDatabase } from '../../support/databases.js'

const CALLS = 'registry_service_calls'
const row = (minute: number) => ({
  protocol: 'tsp',
  url: `http://tsa.example/?${minute}`,
  minute,
  succeeded: 0,
  failed: 0,
})

describe('rows that are inserted together', () => {
  forEachDatabase((open) => {
    let pool: Knex
    let database: Database

    beforeEach(async () => {
      pool = openDatabase(await open())
      database = new Database({ pool: { knex: pool, isForeign: false } })
    })
    afterEach(() => pool.destroy())

    const minutes = async (): Promise<number[]> => (await pool(CALLS).orderBy('minute').pluck('minute')).map(Number)

    it('are all there, with placeholders in their values', async () => {
      await database.insert(CALLS, [row(1), row(2), row(3)])
      expect(await minutes()).to.deep.equal([1, 2, 3])
      expect(await pool(CALLS).where({ minute: 2 }).first('url')).to.include({ url: 'http://tsa.example/?2' })
    })

    it('are all refused when one has an existing key, and the transaction goes on', async () => {
      await database.transaction(async () => {
        await database.insert(CALLS, [row(2)])
        const refused = await database.insert(CALLS, [row(1), row(2), row(3)]).catch((error: unknown) => error)
        expect(isUniqueViolation(refused)).to.equal(true)
        await database.insert(CALLS, [row(4)])
      })
      expect(await minutes()).to.deep.equal([2, 4])
    })

    it('skip those with existing keys on request', async () => {
      await database.insert(CALLS, [row(2)])
      await database.insert(CALLS, [row(1), row(2), row(3)], 'skip')
      expect(await minutes()).to.deep.equal([1, 2, 3])
    })

    it('are rolled back with the transaction', async () => {
      const failed = new Error('the work failed')
      const outcome = await database
        .transaction(async () => {
          await database.insert(CALLS, [row(1), row(2)])
          throw failed
        })
        .catch((error: unknown) => error)
      expect(outcome).to.equal(failed)
      expect(await minutes()).to.deep.equal([])
    })

    it('have the same columns, or are refused', async () => {
      const { failed: _, ...short } = row(2)
      expect(await database.insert(CALLS, [row(1), short]).catch((error: unknown) => error)).to.be.instanceOf(TypeError)
      expect(await minutes()).to.deep.equal([])
    })

    it('get ids, of which the first is returned', async () => {
      await pool.schema.createTable('numbered', (table) => {
        table.bigIncrements('id')
        table.string('name')
      })
      await database.insert('numbered', [{ name: 'a' }])
      const first = await database.insert('numbered', [{ name: 'b' }, { name: 'c' }, { name: 'd' }])
      const names: string[] = await pool('numbered').where('id', '>=', first).orderBy('id').pluck('name')
      expect(names).to.deep.equal(['b', 'c', 'd'])
    })
  })
})
