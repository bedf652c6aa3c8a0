import { AsyncLocalStorage } from 'node:async_hooks'
import { expect } from 'chai'
import type { Knex } from 'knex'
import { coreMigrations } from '#core/core-areas.js'
import { migrate } from '#core/database/migrate.js'
import { openDatabase } from '#core/database/open.js'
import { SharedCommits } from '#core/database/transaction.js'
import { openSqlite } from '../../support/databases.js'

const CALLS = 'registry_service_calls'
const row = (minute: number) => ({ protocol: 'tsp', url: 'http://tsa.example/', minute, succeeded: 0, failed: 0 })
const lost = () => Object.assign(new Error('busy'), { errcode: 5 })

describe('transactions that commit together', () => {
  let knex: Knex
  let commits: SharedCommits
  let begun = 0

  beforeEach(async () => {
    knex = openDatabase(await openSqlite())
    await migrate(knex, coreMigrations)
    commits = new SharedCommits((work) => knex.transaction(work))
    begun = 0
    knex.on('query', ({ sql }: { sql: string }) => {
      if (sql.startsWith('BEGIN')) begun += 1
    })
  })
  afterEach(() => knex.destroy())

  const insert = (minute: number) => async (trx: Knex.Transaction) => {
    await trx(CALLS).insert(row(minute))
    return minute
  }
  const kept = (): Promise<number[]> => knex(CALLS).orderBy('minute').pluck('minute')

  it('are those that come in one turn of the event loop, each with an answer of its own', async () => {
    expect(await Promise.all([1, 2, 3, 4].map((minute) => commits.run(insert(minute))))).to.deep.equal([1, 2, 3, 4])
    expect(begun).to.equal(1)
    expect(await kept()).to.deep.equal([1, 2, 3, 4])
  })

  it('keep none of the effects of one that fails, and all of the others', async () => {
    const failing = async (trx: Knex.Transaction) => {
      await trx(CALLS).insert(row(9))
      throw new TypeError('refused')
    }
    const outcomes = await Promise.allSettled(
      [insert(1), insert(2), failing, insert(3)].map((work) => commits.run(work)),
    )
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['fulfilled', 'fulfilled', 'rejected', 'fulfilled'])
    expect(await kept()).to.deep.equal([1, 2, 3])
  })

  it('are all retried when one of them loses a race', async () => {
    let tries = 0
    const losing = async (trx: Knex.Transaction) => {
      tries += 1
      await insert(5)(trx)
      if (tries === 1) throw lost()
    }
    await Promise.all([insert(1), insert(2), losing, insert(3)].map((work) => commits.run<unknown>(work)))
    expect(tries).to.equal(2)
    expect(await kept()).to.deep.equal([1, 2, 3, 5])
  })

  it('all fail when the commit does, and later ones go on', async () => {
    const breaking = async (trx: Knex.Transaction) => {
      await trx.raw('rollback')
    }
    const outcomes = await Promise.allSettled(
      [insert(1), insert(2), breaking].map((work) => commits.run<unknown>(work)),
    )
    expect(outcomes.map(({ status }) => status)).to.deep.equal(['rejected', 'rejected', 'rejected'])
    await commits.run(insert(4))
    expect(await kept()).to.deep.equal([4])
  })

  it('do their work in the asynchronous context of their callers', async () => {
    const context = new AsyncLocalStorage<string>()
    const ask = (name: string) => context.run(name, () => commits.run(async () => context.getStore()))
    expect(await Promise.all(['a', 'b', 'c'].map(ask))).to.deep.equal(['a', 'b', 'c'])
  })
})
