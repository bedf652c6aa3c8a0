import { expect } from 'chai'
import knex, { type Knex } from 'knex'
import { Database } from '#core/database/database.js'
import { openDatabase } from '#core/database/open.js'
import { SqliteDialect } from '#core/database/sqlite-dialect.js'
import { places } from '#core/database/table.js'
import { forEachDatabase } from '../../support/databases.js'

const CALLS = 'registry_service_calls'
const COUNTED = `select url, minute from ${CALLS} where minute in (${places([1, 2])}) order by minute`
const row = (minute: number) => ({
  protocol: 'tsp',
  url: `http://tsa.example/${minute}`,
  minute,
  succeeded: 0,
  failed: 0,
})
const answered = (minute: number) => ({ url: `http://tsa.example/${minute}`, minute })

describe('a select in SQL', () => {
  forEachDatabase((open) => {
    let pool: Knex
    let database: Database
    let url: string

    beforeEach(async () => {
      url = await open()
      pool = openDatabase(url)
      database = new Database({ pool: { knex: pool, isForeign: false } })
    })
    afterEach(() => pool.destroy())

    const minutes = async () => (await database.rows(COUNTED, [1, 2])).map((one) => ({ ...one }))

    it('answers what was committed', async () => {
      await database.transaction(() => database.query(CALLS).insert(row(1)))
      await database.query(CALLS).insert(row(2))
      expect(await minutes()).to.deep.equal([answered(1), answered(2)])
    })

    it('sees the changes of its own transaction', async () => {
      await database.transaction(async () => {
        await database.query(CALLS).insert(row(1))
        expect(await minutes()).to.deep.equal([answered(1)])
      })
    })

    it('does not wait for transactions of others', async () => {
      const begun = signal()
      const goOn = signal()
      const writing = database.transaction(async () => {
        await database.query(CALLS).insert(row(1))
        begun.give()
        await goOn.given
      })
      await begun.given
      expect(await minutes()).to.deep.equal([])
      goOn.give()
      await writing
      expect(await minutes()).to.deep.equal([answered(1)])
    })

    it('returns bytes as Buffers, and nothing for an empty list', async () => {
      const [found] = await database.rows(`select ? as bytes`, [Buffer.from('abc')])
      expect(Buffer.isBuffer(found?.bytes)).to.equal(true)
      expect(await database.rows(`select 1 from ${CALLS} where minute in (${places([])})`, [])).to.deep.equal([])
    })

    it('fails as any other statement does', async () => {
      const failure = await database.rows('select nothing from nowhere', []).catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(Error)
      expect(await minutes()).to.deep.equal([])
    })

    it('can be a stream of Knex', async () => {
      await database.query(CALLS).insert([row(1), row(2)])
      const seen: number[] = []
      for await (const one of pool(CALLS).orderBy('minute').select('minute').stream()) seen.push(Number(one.minute))
      expect(seen).to.deep.equal([1, 2])
      expect(await minutes()).to.deep.equal([answered(1), answered(2)])
    })

    it('gets its own answer however many are asked in one turn', async () => {
      const asked = Array.from({ length: 100 }, (_, at) => at)
      await minutes()
      const answers = await Promise.all(asked.map((at) => database.rows(`select ? as first, ${at} as n${at}`, [at])))
      expect(answers.map(([one]) => ({ ...one }))).to.deep.equal(asked.map((at) => ({ first: at, [`n${at}`]: at })))
    })

    it('fails alone among others that are asked in one turn', async () => {
      await database.query(CALLS).insert(row(1))
      await minutes()
      const failed = database.rows('select nothing from nowhere', []).catch((error: unknown) => error)
      const [before, failure, after] = await Promise.all([minutes(), failed, minutes()])
      expect(failure).to.be.instanceOf(Error)
      expect([before, after]).to.deep.equal([[answered(1)], [answered(1)]])
    })

    it('sees what was committed in the same turn, and by another host', async () => {
      const other = openDatabase(url)
      await minutes()
      await other(CALLS).insert(row(1))
      expect(await minutes()).to.deep.equal([answered(1)])
      const [, seen] = await Promise.all([database.rows('select 1 as one', []), minutes()])
      expect(seen).to.deep.equal([answered(1)])
      await other.destroy()
    })

    it('takes texts literally', async () => {
      await minutes()
      for (const text of [`'; delete from ${CALLS}; --`, "\\'; select 2; --", '?', 'a\n"`ә'])
        expect((await database.rows('select ? as text', [text])).map((one) => ({ ...one }))).to.deep.equal([{ text }])
    })

    it('is refused when the pool is closed', async () => {
      await minutes()
      await pool.destroy()
      const failure = await minutes().catch((error: unknown) => error)
      expect(failure).to.be.instanceOf(Error)
    })
  })

  it('sees a database in memory, which has one connection', async () => {
    const pool = knex({
      client: SqliteDialect,
      connection: { filename: ':memory:' },
      useNullAsDefault: true,
      pool: { min: 1, max: 1 },
    })
    const database = new Database({ pool: { knex: pool, isForeign: false } })
    await pool.raw('create table one (n integer)')
    await pool('one').insert({ n: 7 })
    expect((await database.rows('select n from one', [])).map(({ n }) => n)).to.deep.equal([7])
    await pool.destroy()
  })
})

function signal() {
  let give: () => void = () => undefined
  const given = new Promise<void>((resolve) => {
    give = resolve
  })
  return { given, give }
}
