import { readFileSync } from 'node:fs'

import { outcomeOfFileProblem } from '@signed-registry/verifier'
import { expect } from 'chai'
import { CheckedFile } from '#core/signed-files/checked-file.js'

/** The cells of the rows of a table under a heading, without what quotes code. */
function rowsUnder(heading: string): string[][] {
  const text = readFileSync(new URL('../../docs/signed-files.md', import.meta.url), 'utf8')
  const section = text.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const rows = section.split('\n').filter((line) => line.startsWith('|'))
  return rows.slice(2).map((row) =>
    row
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  )
}

describe('docs/signed-files.md', () => {
  it('has every problem with its outcome', () => {
    const told = rowsUnder('Problems').map(([code = '', outcome]) => [code, outcome])
    expect(Object.fromEntries(told)).to.deep.equal(outcomeOfFileProblem)
  })

  it('has every kind of change', () => {
    const { kind } = CheckedFile.properties.revisions.items.properties.changes.items.properties
    expect(rowsUnder('What was added to a PDF').map(([name]) => name)).to.deep.equal(kind.enum)
  })

  it('has every outcome', () => {
    expect(rowsUnder('The verdict').map(([outcome]) => outcome)).to.have.members(CheckedFile.properties.outcome.enum)
  })
})
