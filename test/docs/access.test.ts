import { readFileSync } from 'node:fs'
import { expect } from 'chai'
import { type Access, documentAccess, packageAccess, type Way } from '#core/identity/access-table.js'
import { RIGHTS } from '../host/access-matrix/callers.js'

/** How the document words the ways of the access table; `{}` is the document or the package. */
const WORDS: Readonly<Record<string, string>> = {
  public: 'anyone, while the {} is not private',
  openForNow:
    'anyone, before the first signature with `publicDuringPreregistration`, or below the count of signatures of `publicWhileLessThanSignatures`',
  signed: 'the signer: as this person, or as this employee',
  registered: 'who registered it: as this person, or as this employee',
  named: 'the person (`iin`) or the employee (`iin` and `bin`) whom `{}Access` names',
  namedForSettings: 'the person (`iin`) or the employee (`iin` and `bin`) whom `packageSettings` names',
  received: 'the person it was sent to, once delivered',
  signatureOrRegistration: 'of an organization whose employee signed it or whose system registered it: who has `[]`',
  registration: 'of the organization whose system registered it: who has `[]`',
  rule: 'of an organization whose `bin` is in `{}Access`: who has `[]`',
  settingsRule: 'of an organization whose `bin` is in `packageSettings`: who has `[]`',
  delivery: 'of the organization it was sent to, once delivered: who has `[]`',
}

const wordsOf = (way: Way, what: string): string => {
  const words = typeof way === 'string' ? WORDS[way] : WORDS[way.through]?.replace('[]', way.right)
  return (words ?? `(no words for ${JSON.stringify(way)})`).replace('{}', what)
}

/** Ways as rows, actions as columns. */
function tableOf(what: string, actions: Readonly<Record<string, Access>>): string[][] {
  const all = Object.values(actions)
  const rows = [...new Set(all.flatMap(({ ways }) => ways.map((way) => wordsOf(way, what))))]
  const mark = ({ authenticated, ways, anonymousWays = [] }: Access, row: string) => {
    if (anonymousWays.some((way) => wordsOf(way, what) === row)) return 'yes'
    if (!ways.some((way) => wordsOf(way, what) === row)) return ''
    return authenticated && row.startsWith('anyone') ? 'authenticated' : 'yes'
  }
  return rows.map((row) => [row, ...all.map((access) => mark(access, row))])
}

/** Cells of the first table under a heading, without its head. */
function tableUnder(page: string, heading: string): string[][] {
  const section = page.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('|'))
  return lines.slice(2).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.trim()),
  )
}

describe('docs/access.md', () => {
  const page = readFileSync(new URL('../../docs/access.md', import.meta.url), 'utf8')

  it('says of documents what the access table says', () => {
    expect(tableUnder(page, 'Documents')).to.deep.equal(tableOf('document', documentAccess))
  })

  it('says of packages what the access table says', () => {
    expect(tableUnder(page, 'Packages')).to.deep.equal(tableOf('package', packageAccess))
  })

  it('names every right that an organization grants', () => {
    expect(tableUnder(page, 'Rights within an organization').map(([right]) => right)).to.have.members(
      RIGHTS.map((right) => `\`${right}\``),
    )
  })
})
