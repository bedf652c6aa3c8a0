import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSchema } from '@signed-registry/core'

import { expect } from 'chai'
import { openDatabase } from '#core/database/open.js'
import { openMariaDb } from '../support/databases.js'
import { type HostProcess, startHostProcess } from '../support/host-process.js'
import { postJson, request } from '../support/http.js'
import { mariaDbProgram } from '../support/mariadb.js'

const deployment = readFileSync(new URL('../../docs/deployment.md', import.meta.url), 'utf8')
const listed = (pattern: RegExp) => pattern.exec(deployment)?.[1]?.split(/,\s+/) ?? []
/** What docs/deployment.md grants, and what of it migrations alone need. */
const ALL = listed(/GRANT ([A-Z, ]+) ON/)
const OF_MIGRATIONS = listed(/Of the rights, `([A-Z, ]+)`/)

const onMariaDb = mariaDbProgram === undefined ? describe.skip : describe
onMariaDb('a user of the database, by docs/deployment.md', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-rights-'))
  })
  after(() => rmSync(folder, { recursive: true, force: true }))

  /** The address of a database for a user with these rights alone. */
  async function withRights(url: string, rights: readonly string[]): Promise<string> {
    const { host, pathname } = new URL(url)
    const [user, password] = [`u${randomBytes(6).toString('hex')}`, randomBytes(6).toString('hex')]
    const root = openDatabase(url)
    await root.raw(`create user ${user}@'127.0.0.1' identified by '${password}'`)
    await root.raw(`grant ${rights.join(', ')} on ${pathname.slice(1)}.* to ${user}@'127.0.0.1'`)
    await root.destroy()
    return `mysql://${user}:${password}@${host}${pathname}`
  }
  const start = (DATABASE_URL: string): HostProcess =>
    startHostProcess({ DATABASE_URL, DATA_DIR: mkdtempSync(join(folder, 'data-')), MTLS_PORT: 'off' })
  const withoutLast = async (url: string) => {
    const root = openDatabase(url)
    const [{ name } = { name: '' }] = await root('registry_migrations').orderBy('name', 'desc').limit(1)
    await root('registry_migrations').where({ name }).delete()
    await root.destroy()
    return name
  }

  it('who may not change tables starts a host whose schema is up to date', async () => {
    expect(ALL).to.include.members(OF_MIGRATIONS).and.to.include('SELECT')
    const rights = ALL.filter((right) => !OF_MIGRATIONS.includes(right))
    const host = start(await withRights(await openMariaDb(), rights))
    const url = await host.url
    expect((await request(`${url}/readyz`)).status).to.equal(200)
    expect((await postJson(`${url}/api/auth`, {})).json).to.have.all.keys('nonce')
    expect(await host.end('SIGTERM')).to.equal(0)
  })

  it('who may not change tables is told what is missing, and who makes it', async () => {
    const url = await openMariaDb()
    const name = await withoutLast(url)
    const host = start(await withRights(url, ['select', 'insert', 'update', 'delete']))
    expect(await host.errors)
      .to.include(`its schema lacks ${name}`)
      .and.to.include('signed-registry migrate up')
    expect(host.child.exitCode).to.not.equal(0)
  })

  it('with all of the rights makes the tables', async () => {
    const url = await openMariaDb()
    const root = openDatabase(url)
    for (const verb of ['drop', 'create']) await root.raw(`${verb} database ${new URL(url).pathname.slice(1)}`)
    await root.destroy()
    const schema = openSchema(await withRights(url, ALL), [])
    await schema.up()
    expect((await schema.status()).pending).to.deep.equal([])
    await schema.close()
  })
})
