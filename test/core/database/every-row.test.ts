import { expect } from 'chai'
import { everyRow } from '#core/database/every-row.js'
import type { Row } from '#core/database/table.js'

/** Answers pages, and keeps what it was asked. */
const answering = (pages: readonly (readonly Row[])[]) => {
  const asked: { sql: string; bindings: readonly unknown[] }[] = []
  let at = 0
  const rows = async (sql: string, bindings: readonly unknown[]) => {
    asked.push({ sql, bindings })
    const page = pages[Math.min(at, pages.length - 1)] ?? []
    at += 1
    return [...page]
  }
  return { asked, database: { rows } }
}
const walked = async (rows: AsyncIterable<readonly Row[]>) => {
  const found: Row[] = []
  for await (const page of rows) found.push(...page)
  return found
}
const refusal = (work: Promise<unknown>) => work.then(() => 'walked', String)

describe('everyRow', () => {
  const select = (behind: string) => `select a, b from c where ${behind}`

  it('begins without a bound, and goes on behind the last row of each page', async () => {
    const { asked, database } = answering([[{ a: -7 }, { a: 3 }], [{ a: 9 }], []])
    expect(await walked(everyRow(database, ['a'], select))).to.deep.equal([{ a: -7 }, { a: 3 }, { a: 9 }])
    expect(asked).to.deep.equal([
      { sql: 'select a, b from c where 1 = 1 order by a limit 500', bindings: [] },
      { sql: 'select a, b from c where a > ? order by a limit 500', bindings: [3] },
      { sql: 'select a, b from c where a > ? order by a limit 500', bindings: [9] },
    ])
  })

  it('goes on by two columns', async () => {
    const { asked, database } = answering([[{ a: 'x', b: 'y' }], []])
    await walked(everyRow(database, ['a', 'b'], select))
    expect(asked[1]).to.deep.equal({
      sql: 'select a, b from c where a >= ? and (a > ? or b > ?) order by a, b limit 500',
      bindings: ['x', 'x', 'y'],
    })
  })

  it('ends where a row cannot be gone on from: without a key, or with one that is read as another', async () => {
    for (const row of [{ a: null }, { b: 1 }, { a: Buffer.from('f8', 'hex') }])
      expect(await refusal(walked(everyRow(answering([[row]]).database, ['a'], select)))).to.match(/^TypeError/)
    const same = answering([[{ a: '\ufffd' }]])
    expect(await refusal(walked(everyRow(same.database, ['a'], select)))).to.match(/^TypeError: A a cannot be gone on/)
    expect(same.asked).to.have.length(2)
  })
})
