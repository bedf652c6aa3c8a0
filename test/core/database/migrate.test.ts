import { type Logger, openSchema } from '@signed-registry/core'

import { expect } from 'chai'
import type { Knex } from 'knex'
import { coreMigrations } from '#core/core-areas.js'
import { migrate } from '#core/database/migrate.js'
import { openDatabase } from '#core/database/open.js'
import { forEachEmptyDatabase } from '../../support/databases.js'

/** As before the last step was made: it is repeatable. */
const forgetLast = (knex: Knex) =>
  knex('registry_migrations')
    .where({ name: names.at(-1) })
    .delete()

const names = coreMigrations.map(({ name }) => name)

describe('the schema of a database', () => {
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

    it('lists pending steps and their statements, and changes nothing before it is migrated', async () => {
      const url = await open()
      const schema = openSchema(url, [])
      expect(await schema.status()).to.deep.equal({ applied: [], pending: names, newer: [] })
      const sql = await schema.pendingSql()
      expect(sql.filter((line) => line.startsWith('-- '))).to.deep.equal(names.map((name) => `-- ${name}`))
      expect(sql.join('\n')).to.match(/create table .?registry_documents.? /)
      expect((await schema.status()).applied).to.deep.equal([])
      await schema.up()
      expect(await schema.status()).to.deep.equal({ applied: [...names].sort(), pending: [], newer: [] })
      expect(await schema.pendingSql()).to.deep.equal([])
      await schema.close()
    })

    it('of a later version is left alone', async () => {
      const knex = connect(await open())
      await migrate(knex, coreMigrations)
      await knex('registry_migrations').insert({ name: '9999-later', applied_at: 1 })
      expect(await migrate(knex, coreMigrations).catch(String)).to.match(/newer than this program \(9999-later\)/)
      // The table of a plugin that was removed does no harm.
      await knex('registry_migrations').where({ name: '9999-later' }).update({ name: 'gone-0001-table' })
      await migrate(knex, coreMigrations)
    })

    it('is waited for while another host changes it, and the log says which', async () => {
      const knex = connect(await open())
      await migrate(knex, coreMigrations)
      await forgetLast(knex)
      const lease = { name: 'migrations', holder: 'other/7/x', expires_at: Date.now() + 30_000 }
      await knex('registry_leases').insert(lease)
      const said: unknown[] = []
      const logger: Logger = {
        info: () => undefined,
        warn(message, facts) {
          said.push(message, facts?.holder)
          void knex('registry_leases').delete().then()
        },
        error: () => undefined,
      }
      await migrate(knex, coreMigrations, logger)
      expect(said).to.deep.equal(['Waiting for another host that changes the schema of the database', 'other/7/x'])
    })

    it('is not locked by a lease that a wrong clock has dated far ahead', async () => {
      const knex = connect(await open())
      await migrate(knex, coreMigrations)
      await forgetLast(knex)
      const ahead = Date.now() + 24 * 60 * 60 * 1000
      await knex('registry_leases').insert({ name: 'migrations', holder: 'other', expires_at: ahead })
      await migrate(knex, coreMigrations)
    })
  })
})
