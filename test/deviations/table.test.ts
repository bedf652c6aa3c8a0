import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'
import { type Deviation, deviations } from '#core/deviations/index.js'
import { conformanceDir } from '../support/conformance.js'

const SPECIFICATION = `${conformanceDir}/../spec/registry-service.md`
const here = fileURLToPath(new URL('.', import.meta.url))
const rows = Object.values(deviations).flatMap((part) => Object.entries<Deviation>(part))

describe('the table of deviations', () => {
  it('has tests for each part', () => {
    const tested = readdirSync(here).map((name) => name.split('.')[0])
    expect(tested).to.include.members(Object.keys(deviations))
  })

  it('quotes the specification verbatim', function () {
    if (!existsSync(SPECIFICATION)) {
      console.log(`      skipped: no ${SPECIFICATION}`)
      this.skip()
    }
    const lines = readFileSync(SPECIFICATION, 'utf8').split('\n')
    for (const [name, { lines: where, words }] of rows)
      for (const quoted of words.split(' … ')) expect(lines[where[0] - 1], name).to.include(quoted)
  })

  it('has unique names', () => {
    expect(new Set(rows.map(([name]) => name)).size).to.equal(rows.length)
  })
})
