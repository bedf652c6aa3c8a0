import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { coreMigrations } from '#core/core-areas.js'
import { migrationHashes, RELEASED_MIGRATIONS } from '../support/migration-hashes.js'

describe('migrations', () => {
  const hashes = migrationHashes()

  it('are all in the schema of core, each under the name of its file', () => {
    expect(coreMigrations.map(({ name }) => name)).to.deep.equal(Object.keys(hashes))
  })

  // `npm run release` adds those that are new.
  const released: Record<string, string> = JSON.parse(readFileSync(RELEASED_MIGRATIONS, 'utf8'))
  for (const [name, hash] of Object.entries(released)) {
    it(`never change once released: ${name}`, () => expect(hashes[name]).to.equal(hash))
  }

  it('come after those that were released', () => {
    const last = Object.keys(released).sort().at(-1) ?? ''
    const early = Object.keys(hashes).filter((name) => !(name in released) && name < last)
    expect(early).to.deep.equal([])
  })
})
