import { databaseFacts } from '@signed-registry/core'
import { expect } from 'chai'
import { openMariaDb, openSqlite } from '../../support/databases.js'
import { mariaDbProgram } from '../../support/mariadb.js'

describe('facts of a database', () => {
  it('are its product and version', async () => {
    const { product, version, unsafe } = await databaseFacts(await openSqlite())
    expect({ product, unsafe }).to.deep.equal({ product: 'SQLite', unsafe: [] })
    expect(version).to.match(/^3\./)
  })

  if (mariaDbProgram !== undefined)
    it('name the settings of a server under which what was acknowledged may be lost', async () => {
      const { product, unsafe } = await databaseFacts(await openMariaDb())
      expect(product).to.equal('MariaDB')
      const flushes = process.env.DURABLE === '1'
      expect(unsafe.some((text) => text.startsWith('innodb_flush_log_at_trx_commit is '))).to.equal(!flushes)
    })
})
