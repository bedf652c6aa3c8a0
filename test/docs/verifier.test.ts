import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const root = fileURLToPath(new URL('../..', import.meta.url))
const page = readFileSync(join(root, 'docs/verifier.md'), 'utf8')

describe('docs/verifier.md', () => {
  it('names tests that exist for every row of the table of attacks', () => {
    const files = [...page.matchAll(/`(test\/[\w/.-]+\.ts)`/g)].map(([, file]) => file as string)
    expect(files.length).to.be.greaterThan(30)
    for (const file of new Set(files)) expect(existsSync(join(root, file)), file).to.equal(true)
  })
})
