import { databaseFailure } from '@signed-registry/core'

import { expect } from 'chai'
import type { Knex } from 'knex'
import { coreMigrations } from '#core/core-areas.js'
import { Database } from '#core/database/database.js'
import { migrate } from '#core/database/migrate.js'
import { openDatabase } from '#core/database/open.js'
import { openMariaDb } from '../../support/databases.js'
import { mariaDbProgram } from '../../support/mariadb.js'

const CALLS = 'registry_service_calls'
const row = { protocol: 'tsp', url: 'http://tsa.example/', minute: 1, succeeded: 0, failed: 0 }

describe('a host that freezes inside a transaction on MariaDB', () => {
  if (mariaDbProgram === undefined) return void it.skip('needs mariadbd')
  const opened: Knex[] = []
  afterEach(async () => {
    for (const knex of opened.splice(0)) await knex.destroy()
  })

  it('blocks others for seconds only: they give up, can read meanwhile, and go on when it is disconnected', async () => {
    const url = await openMariaDb()
    const connect = () => {
      const knex = openDatabase(url)
      opened.push(knex)
      return knex
    }
    const [frozen, alive] = [connect(), connect()]
    await migrate(alive, coreMigrations)
    await alive(CALLS).insert(row)
    const database = new Database({ pool: { knex: alive, isForeign: false } })
    const stuck = await frozen.transaction()
    await stuck(CALLS).where({ minute: 1 }).update({ succeeded: 100 })
    const add = () =>
      database.transaction(async () => database.query(CALLS).where({ minute: 1 }).increment('succeeded', 1))
    // More than there are connections: some are reserved for reads.
    const attempts = Array.from({ length: 20 }, () => add().catch((error: unknown) => databaseFailure(error)))
    const read = database.query(CALLS).pluck('succeeded')
    expect(await Promise.race([read.then((seen) => seen), ...attempts])).to.deep.equal([0])
    expect(new Set(await Promise.all(attempts))).to.deep.equal(new Set(['unavailable']))
    for (;;) if ((await add().catch(databaseFailure)) !== 'unavailable') break
    expect(await database.query(CALLS).pluck('succeeded')).to.deep.equal([1])
    await stuck.rollback().catch(() => undefined)
  })
})
