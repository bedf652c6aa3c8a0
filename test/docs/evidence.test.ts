import { readFileSync } from 'node:fs'
import { PROBLEM_OF_NOTE } from '@signed-registry/verifier/evidence'
import { expect } from 'chai'

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8')
const page = read('docs/evidence.md')

/** First cells of a table of the page, and the second ones, without their quotes. */
const tableBehind = (heading: string): (readonly [string, string])[] =>
  [...(page.split(heading)[1]?.split(/\n#+ /)[0] ?? '').matchAll(/^\| `(\w+)` +\| (?:`(\w+)`)? *\|/gm)].map(
    ([, first = '', second = '']) => [first, second] as const,
  )

describe('docs/evidence.md', () => {
  it('has every problem of a bundle, with what it makes of the verdict', () => {
    const source = read('core/verifier/src/evidence/problem.ts')
    const problems = [...source.matchAll(/^ {2}(\w+): '(\w+)',$/gm)].map(([, code, outcome]) => [code, outcome])
    expect(problems).to.have.length.above(10)
    expect(tableBehind('## Problems')).to.have.deep.members(problems)
  })

  it('has every state of the signature of a registry, with its problem', () => {
    const states = Object.entries(PROBLEM_OF_NOTE).map(([state, problem = '']) => [state, problem])
    expect(tableBehind('### Who signed evidence.json')).to.have.deep.members(states)
  })
})
