import { expect } from 'chai'
import fc from 'fast-check'
import { coreMigrations } from '#core/core-areas.js'
import { Database } from '#core/database/database.js'
import { migrate } from '#core/database/migrate.js'
import { openDatabase } from '#core/database/open.js'
import { Timeline, TimelineMarks } from '#core/database/timeline.js'
import { newId } from '#core/kernel/ids.js'
import { forEachDatabase } from '../../support/databases.js'
import { DAY, NOW, testClock } from '../../support/pki/authorities.js'
import { until } from '../../support/until.js'

const ALL = { from: 0, until: Number.MAX_SAFE_INTEGER }

describe('a timeline', () => {
  forEachDatabase((open) => {
    let database: Database
    let timeline: Timeline
    let close: () => Promise<void>
    before(async () => {
      const knex = openDatabase(await open())
      await migrate(knex, coreMigrations)
      database = new Database({ pool: { knex: knex, isForeign: false } })
      timeline = new Timeline({ database, marks: new TimelineMarks({ database }), clock: testClock() })
      close = () => knex.destroy()
    })
    after(() => close())

    const add = (list: string, at: number) => timeline.add([list], { at, item: newId() })
    const readAll = async (list: string, limit: number) => {
      const pages: number[][] = []
      for (let until = ALL.until; ; ) {
        const page = await timeline.page(list, { from: 0, until }, limit)
        if (page.length === 0) return pages
        pages.push(page.map(({ at }) => at))
        until = page.at(-1)?.at ?? 0
      }
    }

    it('gives pages newest first, and never splits a millisecond', async () => {
      for (const at of [5, 3, 3, 3, 9, 1]) await add('pages', at)
      expect(await readAll('pages', 3)).to.deep.equal([[9, 5, 3, 3, 3], [1]])
    })

    it('neither loses nor repeats items, whatever their times and the size of a page', async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.integer({ min: 1, max: 9 }), { maxLength: 20 }),
          fc.integer({ min: 1, max: 7 }),
          async (times, limit) => {
            const list = newId()
            for (const at of times) await add(list, at)
            expect((await readAll(list, limit)).flat()).to.deep.equal(times.sort((a, b) => b - a))
          },
        ),
        { numRuns: 20 },
      )
    })

    it('holds an item once, and removes it', async () => {
      const item = { at: 7, item: newId() }
      await timeline.add(['twice'], item)
      await timeline.add(['twice'], item)
      expect(await timeline.total('twice', ALL)).to.equal(1)
      await timeline.remove(['twice', 'nowhere'], item)
      expect(await timeline.total('twice', ALL)).to.equal(0)
    })

    it('counts right after the clock went back before a mark, also after a restart', async () => {
      const [list, count, step] = ['back', 4000, 1000]
      const clock = testClock()
      const host = () => new Timeline({ database, marks: new TimelineMarks({ database }), clock })
      const rows = Array.from({ length: count }, (_, i) => ({ list, at: NOW - DAY + i * step, item: newId() }))
      for (let i = 0; i < count; i += 500) await database.query('registry_timelines').insert(rows.slice(i, i + 500))
      const running = host()
      await running.add([list], { at: NOW, item: newId() })
      expect(await running.total(list, ALL)).to.equal(count + 1)

      clock.time = NOW - DAY + 10 * step
      for (const one of [running, host()]) {
        await database.transaction(() => one.add([list], { at: clock.now(), item: newId() }))
      }
      clock.time = NOW
      expect(await host().total(list, ALL)).to.equal(count + 3)
      expect(await running.total(list, ALL)).to.equal(count + 3)
    })

    it('has its marks set by writers, so that its first reader need not count it all', async () => {
      const [list, clock] = ['grown', testClock()]
      const growing = new Timeline({ database, marks: new TimelineMarks({ database }), clock })
      const items = Array.from({ length: 2999 }, (_, i) => ({ list, at: clock.now() + i, item: newId() }))
      await database.transaction(() => growing.addNew(items))
      clock.time += DAY
      await database.transaction(() => growing.addNew([{ list, at: clock.now(), item: newId() }]))
      const marks = async () =>
        Number((await database.query('registry_timeline_marks').where({ list }).count({ n: '*' }))[0]?.n)
      await until(async () => (await marks()) === 3)
      expect(await growing.total(list, ALL)).to.equal(3000)
    })

    it('counts long lists by marks, which stay right after late items and removals', async () => {
      const [list, count, step] = ['long', 7000, 1000]
      const rows = Array.from({ length: count }, (_, i) => ({ list, at: NOW - DAY + i * step, item: newId() }))
      for (let i = 0; i < count; i += 500) await database.query('registry_timelines').insert(rows.slice(i, i + 500))
      const windows = [ALL, { from: NOW - DAY + 10 * step, until: NOW - DAY + 3010 * step }, { from: 5, until: 6 }]
      const totals = () => Promise.all(windows.map((window) => timeline.total(list, window)))

      expect(await totals()).to.deep.equal([7000, 3000, 0])
      const marks = await database.query('registry_timeline_marks').where({ list }).count({ n: '*' })
      expect(Number(marks[0]?.n)).to.be.greaterThan(5)

      const late = { at: NOW - DAY + 20 * step + 1, item: newId() }
      await database.transaction(() => timeline.add([list], late))
      expect(await totals()).to.deep.equal([7001, 3001, 0])
      await database.transaction(() => timeline.remove([list], late))
      await add(list, NOW)
      expect(await totals()).to.deep.equal([7001, 3000, 0])
    })
  })
})
