import { readFileSync } from 'node:fs'
import { Environment } from '@signed-registry/host'
import { expect } from 'chai'

/** Rows of the tables of a document, cell by cell. */
const rowsOf = (document: string): string[][] =>
  readFileSync(new URL(`../../docs/${document}`, import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .map((line) =>
      line
        .split('|')
        .map((cell) => cell.trim())
        .slice(1, -1),
    )

describe('docs/configuration.md', () => {
  const rows = rowsOf('configuration.md')
  const documented = rows.flatMap(([names = '']) => names.match(/[A-Z_]{3,}/g) ?? [])

  it('has every variable once, and no other', () => {
    expect(documented).to.have.members(Object.keys(Environment.properties))
    expect(new Set(documented).size).to.equal(documented.length)
  })

  for (const [name, schema] of Object.entries(Environment.properties)) {
    if (!('default' in schema)) continue
    it(`tells the default of ${name}`, () => {
      const [, told = ''] = rows.find(([names]) => names?.includes(`\`${name}\``)) ?? []
      expect(told).to.include(`\`${schema.default}\``)
    })
  }
})
