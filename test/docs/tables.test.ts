import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { pathOf, TABLES } from './tables.js'

describe('tables in documents (npm run generate writes them)', () => {
  for (const table of TABLES) {
    it(`${table.document} has ${table.what}`, () => {
      const text = readFileSync(pathOf(table), 'utf8')
      expect(text).to.equal(table.within(text))
    })
  }
})
