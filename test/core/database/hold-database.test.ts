import { mkdtempSync, readdirSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'chai'
import { holdDatabase } from '#core/database/hold-database.js'
import { DatabaseNotUsable } from '#core/database/migrate.js'
import { openDatabase } from '#core/database/open.js'

describe('a host that holds its database', () => {
  let folder: string
  let url: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-held-'))
    url = `sqlite:${join(folder, 'registry.sqlite')}`
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  it('keeps others from holding an SQLite database, again and again, until it lets go', () => {
    const letGo = holdDatabase(url)
    for (let n = 0; n < 3; n += 1) expect(holdDatabase(url)).to.equal(undefined)
    letGo?.()
    const next = holdDatabase(url)
    expect(next).not.to.equal(undefined)
    next?.()
  })

  it('keeps nobody from using it', async () => {
    const letGo = holdDatabase(url)
    const knex = openDatabase(url)
    await knex.raw('create table t (a integer)')
    await knex.destroy()
    expect(holdDatabase(url)).to.equal(undefined)
    letGo?.()
  })

  it('knows a database by its other names, and others apart', () => {
    writeFileSync(join(folder, 'registry.sqlite'), '')
    symlinkSync(join(folder, 'registry.sqlite'), join(folder, 'link'))
    const letGo = holdDatabase(url)
    expect(holdDatabase(`sqlite:${join(folder, 'link')}`)).to.equal(undefined)
    holdDatabase(`sqlite:${join(folder, 'other.sqlite')}`)?.()
    letGo?.()
  })

  it('knows a database by a link to it before there is one', async () => {
    symlinkSync(join(folder, 'registry.sqlite'), join(folder, 'link'))
    const letGo = holdDatabase(`sqlite:${join(folder, 'link')}`)
    const knex = openDatabase(`sqlite:${join(folder, 'link')}`)
    await knex.raw('create table t (a integer)')
    await knex.destroy()
    expect(holdDatabase(url)).to.equal(undefined)
    letGo?.()
  })

  it('makes one file that only its user can read, and no database: its start may still fail', () => {
    const letGo = holdDatabase(url)
    expect(readdirSync(folder)).to.deep.equal(['registry.sqlite.lock'])
    for (const file of readdirSync(folder)) expect(statSync(join(folder, file)).mode & 0o777).to.equal(0o600)
    letGo?.()
    expect(readdirSync(folder)).to.have.length(1)
  })

  it('does not follow links for ever', () => {
    symlinkSync(join(folder, 'b'), join(folder, 'a'))
    symlinkSync(join(folder, 'a'), join(folder, 'b'))
    expect(holdDatabase(`sqlite:${join(folder, 'a')}`)).not.to.equal(undefined)
  })

  it('holds nothing in memory, and nothing of a server', () => {
    for (const shared of ['sqlite::memory:', 'mysql://a:b@127.0.0.1:1/c'])
      for (let n = 0; n < 2; n += 1) expect(holdDatabase(shared)).not.to.equal(undefined)
  })

  it('says that the database cannot be used where there is no folder for it', () => {
    writeFileSync(join(folder, 'file'), '')
    expect(() => holdDatabase(`sqlite:${join(folder, 'file', 'registry.sqlite')}`)).to.throw(DatabaseNotUsable)
  })
})
