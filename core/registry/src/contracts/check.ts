import assert from 'node:assert/strict'
import type { Check, Finding } from '../kernel/check.js'
import type { Clause } from './clause.js'

/** The `Check` to check against its contract. */
export interface CheckUnderTest {
  /** The check while all is well. */
  well(): Check | Promise<Check>
  /** The check while what it looks at is missing, or does not work. */
  ill(): Check | Promise<Check>
  /** A secret that must not be told, such as a password in an address; leave it out if there is none. */
  readonly secret?: string
}

const MAX_TEXT = 1000

/** What every `Check` promises. */
export function checkContract(under: CheckUnderTest): readonly Clause[] {
  return [
    {
      title: 'has a name of a few words in lower case',
      check: async () => assert.match((await under.well()).name, /^[a-z][a-z-]*( [a-z-]+){0,3}$/),
    },
    {
      title: 'finds nothing wrong while all is well, again and again',
      async check() {
        const check = await under.well()
        for (const findings of [await run(check), await run(check)])
          assert.deepEqual([...new Set(findings.map(({ state }) => state))], ['ok'])
      },
    },
    {
      title: 'finds in a sentence, without secrets, what is wrong and what to do',
      async check() {
        const wrong = (await run(await under.ill())).filter(({ state }) => state !== 'ok')
        assert.ok(wrong.length > 0, 'nothing was found')
        for (const { text } of wrong) {
          assert.match(text, /^\S.*[;:,] \S/s)
          assert.ok(text.length <= MAX_TEXT && !text.includes('\n'), text)
          assert.ok(under.secret === undefined || !text.includes(under.secret), text)
        }
      },
    },
  ]
}

const run = async (check: Check): Promise<readonly Finding[]> => [await check.check(AbortSignal.timeout(15_000))].flat()
