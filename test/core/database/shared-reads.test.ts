import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { Database } from '#core/database/database.js'
import { openDatabase } from '#core/database/open.js'
import { openMariaDb } from '../../support/databases.js'
import { mariaDbProgram } from '../../support/mariadb.js'

const WHO = 'select connection_id() as id'
const HELD = 'select get_lock(?, 30) as got'

const onMariaDb = mariaDbProgram === undefined ? describe.skip : describe

onMariaDb('selects that are asked in one turn, on MariaDB', () => {
  let pool: Knex
  let database: Database
  let others: Knex
  let other: Knex.Transaction

  beforeEach(async () => {
    const url = await openMariaDb()
    pool = openDatabase(url)
    others = openDatabase(url)
    other = await others.transaction()
    database = new Database({ pool: { knex: pool, isForeign: false } })
    // The first are asked by themselves, until the connection that only reads is open.
    while (Number((await database.rows('select @@session.tx_read_only as flag', []))[0]?.flag) !== 1);
  })
  afterEach(async () => {
    await other.rollback()
    await others.destroy()
    await pool.destroy()
  })

  const connection = async () => Number((await database.rows(WHO, []))[0]?.id)
  const connections = (count: number) => Promise.all(Array.from({ length: count }, connection))

  /** A lock that another connection holds until it releases it. */
  async function lock() {
    const name = randomBytes(8).toString('hex')
    await other.raw(HELD, [name])
    return { name, giveUp: () => other.raw('do release_lock(?)', [name]) }
  }
  async function untilWaiting(count: number): Promise<void> {
    const waiting = "select id from information_schema.processlist where db = database() and state = 'User lock'"
    while ((await other.raw(waiting))[0].length < count);
  }

  it('share one connection', async () => {
    expect(new Set(await connections(20)).size).to.equal(1)
  })

  it('are answered after that connection has ended', async () => {
    await other.raw('kill ?', [await connection()])
    expect((await connections(3)).every(Number.isInteger)).to.equal(true)
  })

  it('are answered when it ends while they are under way', async () => {
    const [one, held] = [await connection(), await lock()]
    const answer = database.rows(HELD, [held.name])
    await untilWaiting(1)
    await other.raw('kill ?', [one])
    await held.giveUp()
    expect((await answer)[0]?.got).to.equal(1)
  })

  it('do not wait for slow ones', async () => {
    const held = [await lock(), await lock(), await lock()]
    const answers: Promise<unknown>[] = []
    for (const { name } of held) {
      answers.push(database.rows(HELD, [name]))
      await untilWaiting(answers.length)
    }
    expect(await connections(5)).to.have.length(5)
    await Promise.all(held.map(({ giveUp }) => giveUp()))
    await Promise.all(answers)
  })

  it('change nothing', async () => {
    const failure = await database
      .rows('select 1; delete from registry_migrations', [])
      .catch((thrown: unknown) => thrown)
    expect(failure).to.be.instanceOf(Error)
    expect(await database.rows('select name from registry_migrations', [])).not.to.have.length(0)
  })
})
