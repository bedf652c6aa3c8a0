import { copyFileSync, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { backUpDatabase } from '@signed-registry/core'

import { expect } from 'chai'
import { coreMigrations } from '#core/core-areas.js'
import { migrate } from '#core/database/migrate.js'
import { openDatabase } from '#core/database/open.js'

const row = { protocol: 'tsp', url: 'http://tsa.example/', minute: 1, succeeded: 0, failed: 0 }

describe('an SQLite database', () => {
  let folder: string
  let file: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'registry-backup-'))
    file = join(folder, 'registry.sqlite')
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const filled = async () => {
    const knex = openDatabase(`sqlite:${file}`)
    await migrate(knex, coreMigrations)
    await knex('registry_service_calls').insert(row)
    return knex
  }
  const urlsIn = async (copy: string) => {
    const knex = openDatabase(`sqlite:${copy}`)
    const urls: string[] = await knex('registry_service_calls').pluck('url')
    await knex.destroy()
    return urls
  }

  it('is complete in its one file after it was closed', async () => {
    await (await filled()).destroy()
    const copy = join(folder, 'copy.sqlite')
    copyFileSync(file, copy)
    expect(await urlsIn(copy)).to.deep.equal([row.url])
  })

  it('is copied completely while a host uses it, readable by its owner only', async () => {
    const knex = await filled()
    const copy = join(folder, 'backup.sqlite')
    await backUpDatabase(`sqlite:${file}`, copy)
    await knex.destroy()
    expect(await urlsIn(copy)).to.deep.equal([row.url])
    for (const one of [copy, file]) expect(statSync(one).mode & 0o777).to.equal(0o600)
  })

  it('is not copied over an existing file, nor when it does not exist', async () => {
    const backUp = (url: string, to: string) => backUpDatabase(url, join(folder, to)).catch(String)
    expect(await backUp(`sqlite:${file}`, 'new')).to.include('There is no database at')
    expect(existsSync(file)).to.equal(false)
    await (await filled()).destroy()
    writeFileSync(join(folder, 'there'), '')
    expect(await backUp(`sqlite:${file}`, 'there')).to.include('exists already')
    expect(await backUp('mysql://root@127.0.0.1/registry', 'new')).to.include('mariadb-dump --single-transaction')
  })
})
