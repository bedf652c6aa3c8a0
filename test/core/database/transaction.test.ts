import { expect } from 'chai'
import type { Knex } from 'knex'
import { Database } from '#core/database/database.js'
import { openDatabase } from '#core/database/open.js'
import { forEachDatabase } from '../../support/databases.js'

const CALLS = 'registry_service_calls'
const row = (minute: number) => ({ protocol: 'tsp', url: 'http://tsa.example/', minute, succeeded: 0, failed: 0 })
const thrown = (work: Promise<unknown>) => work.then(() => undefined).catch((error: unknown) => error)

describe('a transaction that does not wait for a statement of its own', () => {
  forEachDatabase((open) => {
    let pool: Knex
    let database: Database

    beforeEach(async () => {
      pool = openDatabase(await open())
      database = new Database({ pool: { knex: pool, isForeign: false } })
    })
    afterEach(() => pool.destroy())

    const minutes = async (): Promise<number[]> => (await pool(CALLS).orderBy('minute').pluck('minute')).map(Number)
    const ways: Record<string, (minute: number) => Promise<unknown>> = {
      'a query': async (minute) => await database.query(CALLS).insert(row(minute)),
      'an insert that is written out': (minute) => database.insert(CALLS, [row(minute)]),
      'an insert that waits for what follows': (minute) => database.insertLater(CALLS, [row(minute)]),
      'a change': async (minute) => await database.query(CALLS).where({ minute: 1 }).update({ minute }),
      'a select': (minute) => database.rows(`select minute from ${CALLS} where minute = ?`, [minute]),
    }
    for (const [what, send] of Object.entries(ways)) {
      it(`keeps nothing when ${what} runs beside others`, async () => {
        await database.insert(CALLS, [row(1)])
        const work = async () => {
          await database.insert(CALLS, [row(2)])
          void send(3)
          await database.query(CALLS).insert(row(4))
        }
        expect(await thrown(database.transaction(work))).to.be.instanceOf(TypeError)
        expect(await minutes()).to.deep.equal([1])
      })

      it(`keeps nothing when ${what} comes last`, async () => {
        await database.insert(CALLS, [row(1)])
        const work = async () => {
          await database.insert(CALLS, [row(2)])
          void send(3)
        }
        expect(await thrown(database.transaction(work))).to.be.instanceOf(TypeError)
        expect(await minutes()).to.deep.equal([1])
      })
    }

    it('keeps nothing of a statement that waits behind others', async () => {
      const work = async () => {
        await database.insertLater(CALLS, [row(1)])
        void thrown(Promise.resolve(database.query(CALLS).insert(row(2))))
      }
      expect(await thrown(database.transaction(work))).to.be.instanceOf(TypeError)
      expect(await minutes()).to.deep.equal([])
    })

    it('keeps nothing of a statement under way when others fail', async () => {
      await database.insert(CALLS, [row(1)])
      const work = async () => {
        await database.insertLater(CALLS, [row(2)])
        void thrown(Promise.resolve(database.query(CALLS).insert(row(3))))
        await new Promise(process.nextTick)
        throw new Error('refused')
      }
      expect(await thrown(database.transaction(work))).to.be.instanceOf(Error)
      expect(await minutes()).to.deep.equal([1])
    })

    it('allows nested transactions', async () => {
      await database.transaction(async () => {
        await database.query.transaction(async (nested) => {
          await nested(CALLS).insert(row(1))
        })
        await database.query.batchInsert(CALLS, [row(2), row(3)], 1)
        await database.query(CALLS).insert(row(4))
      })
      expect(await minutes()).to.deep.equal([1, 2, 3, 4])
    })

    it('does not affect those that commit at the same time', async () => {
      const forgetful = thrown(database.transaction(async () => void database.insert(CALLS, [row(1)])))
      const careful = [2, 3].map((minute) => database.transaction(() => database.insert(CALLS, [row(minute)])))
      expect(await forgetful).to.be.instanceOf(TypeError)
      await Promise.all(careful)
      expect(await minutes()).to.deep.equal([2, 3])
    })

    it('reports another cause of its failure first', async () => {
      const refused = new Error('refused')
      const work = async () => {
        void database.insert(CALLS, [row(1)])
        throw refused
      }
      expect(await thrown(database.transaction(work))).to.equal(refused)
      expect(await minutes()).to.deep.equal([])
    })

    it('is retried after a deadlock that its work ignores, and keeps no half', async () => {
      await database.insert(CALLS, [row(1), row(2)])
      const locked = { 1: signal(), 2: signal() }
      const work = (mine: 1 | 2, other: 1 | 2) => async () => {
        await database.insert(CALLS, [row(mine + 10)])
        await database.query(CALLS).where({ minute: mine }).update({ failed: 1 })
        locked[mine].give()
        // SQLite has one transaction at a time.
        if (database.dialect === 'mysql') await locked[other].promise
        await thrown(Promise.resolve(database.query(CALLS).where({ minute: other }).update({ failed: 1 })))
        await thrown(database.insert(CALLS, [row(mine + 20)]))
      }
      await Promise.all([database.transaction(work(1, 2)), database.transaction(work(2, 1))])
      expect(await minutes()).to.deep.equal([1, 2, 11, 12, 21, 22])
    })

    it('can do nothing more once it is over', async () => {
      const { promise: over, give: end } = signal()
      const { promise: goOn, give: endOther } = signal()
      const elsewhere = openDatabase(await open())
      const other = new Database({ pool: { knex: elsewhere, isForeign: false } }).transaction(() => goOn)
      let late: Promise<unknown> = Promise.resolve()
      await database.transaction(async () => {
        late = thrown(over.then(() => database.insert(CALLS, [row(1)])))
      })
      end()
      expect(await late).to.be.instanceOf(Error)
      endOther()
      await other
      await elsewhere.destroy()
      expect(await minutes()).to.deep.equal([])
    })
  })
})

function signal() {
  let give: () => void = () => undefined
  const promise = new Promise<void>((resolve) => {
    give = resolve
  })
  return { promise, give }
}
