import { expect } from 'chai'
import knex, { type Knex } from 'knex'
import { Database } from '#core/database/database.js'
import { openMariaDb } from '../../support/databases.js'
import { mariaDbProgram } from '../../support/mariadb.js'

const CALLS = 'registry_service_calls'
const row = (minute: number) => ({ protocol: 'tsp', url: 'http://tsa.example/?', minute, succeeded: 0, failed: 0 })

const onMariaDb = mariaDbProgram === undefined ? describe.skip : describe

onMariaDb('statements that are written out, over the Knex of an embedder', () => {
  let pool: Knex
  let database: Database

  beforeEach(async () => {
    const { hostname: host, port, username: user, pathname } = new URL(await openMariaDb())
    const connection = { host, port: Number(port), user, database: pathname.slice(1) }
    pool = knex({ client: 'mysql2', connection })
    database = new Database({ pool: { knex: pool, isForeign: true } })
  })
  afterEach(() => pool.destroy())

  const minutes = async () =>
    (await database.rows(`select minute from ${CALLS} where url = ? order by minute`, [row(0).url])).map(
      (one) => one.minute,
    )

  it('insert, at once or later, and read', async () => {
    await database.transaction(async () => {
      expect(await database.insert(CALLS, [row(1), row(2)])).to.equal(0)
      await database.insertLater(CALLS, [row(2), row(3)], 'skip')
      expect(await minutes()).to.deep.equal([1, 2, 3])
    })
    expect(await minutes()).to.deep.equal([1, 2, 3])
  })

  it('are kept with the transaction or not at all', async () => {
    const failing = database.transaction(async () => {
      await database.insertLater(CALLS, [row(1)])
      await database.insert(CALLS, [row(1)])
    })
    expect(await failing.catch(() => 'failed')).to.equal('failed')
    expect(await minutes()).to.deep.equal([])
  })

  it('are waited for', async () => {
    const forgetful = database.transaction(async () => {
      void database.insertLater(CALLS, [row(1)])
      await database.query(CALLS).insert(row(2))
    })
    expect(await forgetful.catch((error: unknown) => error)).to.be.instanceOf(TypeError)
    expect(await minutes()).to.deep.equal([])
  })
})
