import { expect } from 'chai'
import type { Knex } from 'knex'
import { Database } from '#core/database/database.js'
import { isUniqueViolation } from '#core/database/dialect.js'
import { insertOrLose } from '#core/database/insert-or-lose.js'
import { openDatabase } from '#core/database/open.js'
import { forEachDatabase } from '../../support/databases.js'

const CALLS = 'registry_service_calls'
const row = (minute: number) => ({ protocol: 'tsp', url: 'http://tsa.example/?', minute, succeeded: 0, failed: 0 })
const thrown = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error)

describe('rows that are sent along with the next statement', () => {
  forEachDatabase((open) => {
    let pool: Knex
    let other: Knex
    let database: Database

    beforeEach(async () => {
      const url = await open()
      pool = openDatabase(url)
      other = openDatabase(url)
      database = new Database({ pool: { knex: pool, isForeign: false } })
    })
    afterEach(() => Promise.all([pool.destroy(), other.destroy()]))

    const minutes = async (): Promise<number[]> => (await other(CALLS).orderBy('minute').pluck('minute')).map(Number)

    it('are there after the commit', async () => {
      await database.insertLater(CALLS, [row(1), row(2)])
      await database.transaction(async () => {
        await database.insertLater(CALLS, [row(3)])
        await database.insertLater(CALLS, [row(3), row(4)], 'skip')
      })
      expect(await minutes()).to.deep.equal([1, 2, 3, 4])
    })

    it('are seen by the next statement', async () => {
      const seen = await database.transaction(async () => {
        await database.insertLater(CALLS, [row(1)])
        const written = await database.rows(`select minute from ${CALLS}`, [])
        await database.insertLater(CALLS, [row(2)])
        return [written.length, (await database.query(CALLS).select('minute')).length]
      })
      expect(seen).to.deep.equal([1, 2])
    })

    it('are there once, in any number and size', async () => {
      const url = 'u'.repeat(200)
      const all = Array.from({ length: 3000 }, (_, minute) => ({ ...row(minute), url }))
      await database.transaction(async () => {
        for (let at = 0; at < all.length; at += 200) await database.insertLater(CALLS, all.slice(at, at + 200))
      })
      expect(await minutes()).to.deep.equal(all.map(({ minute }) => minute))
    })

    it('are gone with the transaction', async () => {
      const failed = new Error('the work failed')
      const work = async () => {
        await database.insertLater(CALLS, [row(1)])
        throw failed
      }
      expect(await thrown(database.transaction(work))).to.equal(failed)
      await database.insertLater(CALLS, [row(2)])
      expect(await minutes()).to.deep.equal([2])
    })

    it('undo the transaction when one has an existing key, and block nobody', async () => {
      await database.insertLater(CALLS, [row(2)])
      const work = async () => {
        await database.insert(CALLS, [row(1)])
        await database.insertLater(CALLS, [row(3)])
        await database.insertLater(CALLS, [row(2), row(4)])
      }
      expect(await thrown(database.transaction(work))).to.be.instanceOf(Error)
      await other(CALLS).insert([row(1), row(3), row(4)])
      expect(await minutes()).to.deep.equal([1, 2, 3, 4])
    })

    it('do not look like a duplicate key of the next statement', async () => {
      await database.insertLater(CALLS, [row(1)])
      let inserted: boolean | undefined
      const work = async () => {
        await database.insertLater(CALLS, [row(1)])
        inserted = await insertOrLose(database.query(CALLS).insert(row(2)))
      }
      expect(await thrown(database.transaction(work))).to.be.instanceOf(Error)
      expect(inserted).to.equal(undefined)
      expect(await minutes()).to.deep.equal([1])
    })

    it('do not hide a duplicate key of the next statement', async () => {
      await database.insertLater(CALLS, [row(2)])
      await database.transaction(async () => {
        await database.insertLater(CALLS, [row(1)])
        expect(isUniqueViolation(await thrown(database.insert(CALLS, [row(2)])))).to.equal(true)
        await database.insertLater(CALLS, [row(3)])
      })
      expect(await minutes()).to.deep.equal([1, 2, 3])
    })

    it('do not allow several statements in one', async () => {
      const several = `select 1; delete from ${CALLS}`
      await database.insertLater(CALLS, [row(1)])
      await database.transaction(async () => {
        await thrown(database.rows(several, []))
        await thrown(Promise.resolve(database.query.raw(several)))
      })
      await thrown(Promise.resolve(pool.raw(several)))
      expect(await minutes()).to.deep.equal([1])
    })

    it('are not committed when their failure was ignored', async () => {
      await database.insertLater(CALLS, [row(1)])
      const work = async () => {
        await database.insertLater(CALLS, [row(1)])
        await thrown(database.rows('select 1', []))
        await database.insertLater(CALLS, [row(2)])
      }
      expect(await thrown(database.transaction(work))).to.be.instanceOf(Error)
      expect(await minutes()).to.deep.equal([1])
    })
  })
})
