import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { coreMigrations } from '#core/core-areas.js'
import { migrate } from '#core/database/migrate.js'
import { openDatabase } from '#core/database/open.js'
import { onGalera } from '../../support/galera.js'
import { startLogHost } from '../../support/log-hosts.js'
import { newLogKey } from '../../support/log-key.js'
import { amount } from '../../support/sweep.js'
import { expectWholeLog } from '../../support/whole-log.js'

const ROUNDS = amount(5, 40)

onGalera('a log that hosts at three nodes of a Galera cluster integrate', (galera) => {
  let root: string
  before(() => {
    root = mkdtempSync(join(tmpdir(), 'registry-log-galera-'))
  })
  after(() => rmSync(root, { recursive: true, force: true }))

  it('has no gap, no doubled entry and no fork', async function () {
    this.timeout(600_000)
    const urls = await galera().createDatabase()
    const knex = openDatabase(urls[0])
    await migrate(knex, coreMigrations)
    const key = newLogKey()
    const folders = urls.map((_, node) => join(root, String(node)))
    const hosts = urls.map((url, node) => startLogHost({ url, folder: folders[node] ?? root, key, rounds: ROUNDS }))
    const logged = (await Promise.all(hosts.map((one) => one.logged))).flat()
    expect(await expectWholeLog(knex, { logged, folders })).to.be.at.least(ROUNDS)
    await knex.destroy()
  })
})
