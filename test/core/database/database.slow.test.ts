import { expect } from 'chai'
import knex, { type Knex } from 'knex'
import { coreMigrations } from '#core/core-areas.js'
import { Database } from '#core/database/database.js'
import { dialectOf, isUniqueViolation } from '#core/database/dialect.js'
import { ifLeaseFree, withLease } from '#core/database/lease.js'
import { migrate } from '#core/database/migrate.js'
import { openDatabase } from '#core/database/open.js'
import { forEachEmptyDatabase } from '../../support/databases.js'

const CALLS = 'registry_service_calls'
const row = { protocol: 'tsp', url: 'http://tsa.example/', minute: 1, succeeded: 0, failed: 0 }

describe('the database', () => {
  it('refuses an address of another kind', () => {
    expect(() => openDatabase('postgres://localhost/registry')).to.throw(
      TypeError,
      'must begin with sqlite: or mysql://',
    )
  })

  forEachEmptyDatabase((open) => {
    const opened: Knex[] = []
    const connect = (url: string) => {
      const knex = openDatabase(url)
      opened.push(knex)
      return knex
    }
    afterEach(async () => {
      for (const knex of opened.splice(0)) await knex.destroy()
    })

    it('is brought up to date by several hosts at once', async () => {
      const url = await open()
      const hosts = [connect(url), connect(url), connect(url)]
      await Promise.all(hosts.map((knex) => migrate(knex, coreMigrations)))
      const applied: string[] = await connect(url)('registry_migrations').orderBy('name').pluck('name')
      expect(applied).to.include('0001-documents')
      expect(new Set(applied).size).to.equal(applied.length)
    })

    it('stores text in any script, whatever its default character set', async () => {
      const knex = connect(await open())
      if (dialectOf(knex) === 'mysql') await knex.raw('alter database character set latin1')
      await migrate(knex, coreMigrations)
      const document = { id: 'A'.repeat(16), stored_at: 1, title: 'Шарт ✍🏻', description: 'Қазақша', settings: '{}' }
      await knex('registry_documents').insert(document)
      expect(await knex('registry_documents').first('title', 'description')).to.deep.equal({
        title: 'Шарт ✍🏻',
        description: 'Қазақша',
      })
    })

    it('finishes a migration that another host left unfinished', async () => {
      const url = await open()
      const first = connect(url)
      await migrate(first, coreMigrations)
      await first('registry_migrations').delete()
      await migrate(connect(url), coreMigrations)
      expect(await first('registry_migrations').pluck('name')).to.include('0001-documents')
    })

    it('lets one holder of a lease work, while others skip the work', async () => {
      const knex = connect(await open())
      await migrate(knex, coreMigrations)
      const worked: string[] = []
      const work = (name: string) => async () => void worked.push(name)
      await ifLeaseFree(knex, 'task', async () => {
        await ifLeaseFree(knex, 'task', work('same'))
        await ifLeaseFree(knex, 'other task', work('other'))
      })
      await ifLeaseFree(knex, 'task', work('later'))
      expect(worked).to.deep.equal(['other', 'later'])
    })

    it('keeps all effects of a transaction or none', async () => {
      const knex = connect(await open())
      await migrate(knex, coreMigrations)
      const database = new Database({ pool: { knex: knex, isForeign: false } })
      const failed = database.transaction(async () => {
        await database.query(CALLS).insert(row)
        throw new Error('halfway')
      })
      await failed.then(
        () => expect.fail('the transaction succeeded'),
        (error: Error) => expect(error.message).to.equal('halfway'),
      )
      expect(await knex(CALLS).select()).to.deep.equal([])
      await database.transaction(() => database.transaction(async () => database.query(CALLS).insert(row)))
      expect(await knex(CALLS).pluck('url')).to.deep.equal([row.url])
    })

    it('keeps the transactions of two databases apart, even one inside the other', async () => {
      const [inner, outer] = [connect(await open()), connect(await open())]
      for (const knex of [inner, outer]) await migrate(knex, coreMigrations)
      const one = new Database({ pool: { knex: inner, isForeign: false } })
      const other = new Database({ pool: { knex: outer, isForeign: false } })
      const lost = other.transaction(async () => {
        await one.transaction(async () => {
          await one.query(CALLS).insert(row)
          await other.transaction(async () => other.query(CALLS).insert(row))
        })
        throw new Error('lost')
      })
      await lost.catch((error: Error) => expect(error.message).to.equal('lost'))
      expect(await inner(CALLS).pluck('url')).to.deep.equal([row.url])
      expect(await outer(CALLS).pluck('url')).to.deep.equal([])
    })

    it('loses no update when transactions of two hosts collide', async () => {
      const url = await open()
      const hosts = [
        new Database({ pool: { knex: connect(url), isForeign: false } }),
        new Database({ pool: { knex: connect(url), isForeign: false } }),
      ]
      const knex = connect(url)
      await migrate(knex, coreMigrations)
      await knex(CALLS).insert([row, { ...row, minute: 2 }])
      const addTo = (database: Database, minutes: number[]) =>
        database.transaction(async () => {
          for (const minute of minutes) {
            const { succeeded } = await database.query(CALLS).where({ minute }).forUpdate().first('succeeded')
            await database
              .query(CALLS)
              .where({ minute })
              .update({ succeeded: succeeded + 1 })
          }
        })
      // Opposite orders of locking cause deadlocks, which are retried.
      const work = Array.from({ length: 8 }, (_, i) =>
        hosts.map((host, at) => addTo(host, (i + at) % 2 ? [1, 2] : [2, 1])),
      )
      await Promise.all(work.flat())
      expect(await knex(CALLS).orderBy('minute').pluck('succeeded')).to.deep.equal([16, 16])
    })

    it('sees what another transaction committed meanwhile, even over the pool of an embedder', async () => {
      const url = await open()
      await migrate(connect(url), coreMigrations)
      if (url.startsWith('sqlite:')) return
      const { hostname: host, port, username: user, pathname } = new URL(url)
      const socket = { host, port: Number(port), user, database: pathname.slice(1) }
      const foreign = knex({ client: 'mysql2', connection: socket })
      opened.push(foreign)
      const database = new Database({ pool: { knex: foreign, isForeign: true } })
      const seen = await database.transaction(async () => {
        const before: string[] = await database.query(CALLS).pluck('url')
        await connect(url)(CALLS).insert(row)
        return [before, await database.query(CALLS).pluck('url')]
      })
      expect(seen).to.deep.equal([[], [row.url]])
    })

    it('stores empty bytes as such, wherever they come from', async () => {
      const knex = connect(await open())
      await migrate(knex, coreMigrations)
      // A view without memory, as of empty bytes from another thread.
      const nothing = Buffer.concat([]).subarray(0)
      const answers = knex('registry_kept_answers')
      await answers.insert({ key_digest: nothing, request_digest: nothing, answer: '{}', kept_at: 0 })
      expect(await knex('registry_kept_answers').pluck('key_digest')).to.deep.equal([Buffer.alloc(0)])
    })

    it('tells a duplicate key from other errors', async () => {
      const knex = connect(await open())
      await migrate(knex, coreMigrations)
      await knex(CALLS).insert(row)
      const doubled = await knex(CALLS)
        .insert(row)
        .catch((error: unknown) => error)
      const unknownTable = await knex('registry_nothing')
        .insert(row)
        .catch((error: unknown) => error)
      expect(isUniqueViolation(doubled)).to.equal(true)
      expect(isUniqueViolation(unknownTable)).to.equal(false)
    })

    it('lets one holder of a lease work at a time', async () => {
      const url = await open()
      const hosts = [connect(url), connect(url)]
      await migrate(hosts[0] as Knex, coreMigrations)
      let holders = 0
      let most = 0
      const work = async () => {
        holders += 1
        most = Math.max(most, holders)
        await new Promise(setImmediate)
        holders -= 1
      }
      await Promise.all([...hosts, ...hosts].map((knex) => withLease(knex, 'test', work)))
      expect(most).to.equal(1)
    })
  })
})
