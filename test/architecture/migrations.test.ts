import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { expect } from 'chai'
import { coreMigrations } from '#core/core-areas.js'

const core = new URL('../../core/registry/src/', import.meta.url)

/** The source of a migration without imports and formatting, which may change. */
const hashOf = (source: string): string =>
  createHash('sha256')
    .update(source.replace(/^import .*$/gm, '').replace(/\s+/g, ' '))
    .digest('hex')

describe('migrations', () => {
  const files = readdirSync(core, { recursive: true, encoding: 'utf8' }).filter((file) =>
    /(^|\/)migrations\/\d{4}-[a-z0-9-]+\.ts$/.test(file),
  )
  const nameOf = (file: string) => file.replace(/^.*\/|\.ts$/g, '')
  const hashes = Object.fromEntries(
    files.map((file) => [nameOf(file), hashOf(readFileSync(new URL(file, core), 'utf8'))]),
  )

  it('are all in the schema of core, each under the name of its file', () => {
    expect(coreMigrations.map(({ name }) => name)).to.deep.equal(files.map(nameOf).sort())
  })

  // At a release new migrations are added to the file; existing entries are never changed.
  const released: Record<string, string> = JSON.parse(
    readFileSync(new URL('../../test/architecture/released-migrations.json', import.meta.url), 'utf8'),
  )
  for (const [name, hash] of Object.entries(released)) {
    it(`never change once released: ${name}`, () => expect(hashes[name]).to.equal(hash))
  }

  it('come after those that were released', () => {
    const last = Object.keys(released).sort().at(-1) ?? ''
    const early = Object.keys(hashes).filter((name) => !(name in released) && name < last)
    expect(early).to.deep.equal([])
  })
})
