import type { Deviation, Deviations } from '#core/deviations/index.js'
import { forEachDatabase, type OpenDatabase } from '../support/databases.js'

/** Both directions of a deviation. */
export interface Directions {
  /** That we do what the row says. */
  ours(open: OpenDatabase): Promise<void>
  /** That its switch follows the words; of a row without one, that the words hold where the reason does not. */
  asWritten(open: OpenDatabase): Promise<void>
}

/** Declares the tests of one part of the table, on both databases. A row without its tests does not compile. */
export function deviate<D extends Deviations>(part: D, tests: Readonly<Record<keyof D, Directions>>): void {
  for (const [name, row] of Object.entries<Deviation>(part)) {
    const both = tests[name]
    if (both === undefined) throw new Error(`The deviation ${name} has no tests`)
    describe(`${name}: ${row.ours}`, () => {
      forEachDatabase((open) => {
        it('is done', () => both.ours(open))
        it(row.switch === undefined ? 'follows the words elsewhere' : `follows the words with ${row.switch}`, () =>
          both.asWritten(open),
        )
      })
    })
  }
}
