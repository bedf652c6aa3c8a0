import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { Database } from './database.js'
import { TimelineMarks } from './timeline-marks.js'

/** An item of a list, and when it was registered (milliseconds). */
export interface TimelineItem {
  readonly at: number
  readonly item: string
}

/** An item in one of its lists. */
export interface TimelineEntry extends TimelineItem {
  readonly list: string
}

/** The part of a list that is asked for: from `from` on, before `until`. */
export interface TimelineWindow {
  readonly from: number
  readonly until: number
}

const TABLE = 'registry_timelines'
/** SQLite takes no more than 500. */
const ROWS_AT_ONCE = 250

/** Keeps lists of things in the order of their time, newest first; pages and totals cost the same however long a list is. */
export class Timeline {
  static readonly inject = { database: Database, marks: TimelineMarks, clock: Clock }

  constructor(private readonly use: Injected<typeof Timeline.inject>) {}

  /** Puts an item into lists; it may stand in some of them already. Runs in the caller's transaction. */
  async add(lists: readonly string[], item: TimelineItem): Promise<void> {
    return this.addAll(lists.map((list) => ({ list, ...item })))
  }

  /** As `add`, for any number of items. */
  async addAll(entries: readonly TimelineEntry[]): Promise<void> {
    await this.addNew(await this.missing(entries))
  }

  /** As `addAll`, for items that do not stand in these lists yet. */
  async addNew(entries: readonly TimelineEntry[]): Promise<void> {
    for (let from = 0; from < entries.length; from += ROWS_AT_ONCE) {
      const rows = entries.slice(from, from + ROWS_AT_ONCE).map(({ list, at, item }) => ({ list, at, item }))
      await this.use.database.insertLater(TABLE, rows)
    }
    const now = this.use.clock.now()
    const late = await this.use.marks.late(now)
    for (const { list, at } of entries) {
      await this.use.marks.shift(list, at, 1, late)
      this.use.marks.grow(list, now)
    }
  }

  /** Takes an item out of lists; it may be missing from some of them. Runs in the caller's transaction. */
  async remove(lists: readonly string[], { at, item }: TimelineItem): Promise<void> {
    const { clock, marks } = this.use
    for (const list of lists) {
      const removed = await this.use.database.query(TABLE).where({ list, at, item }).delete()
      if (removed > 0) await marks.shift(list, at, -1, await marks.late(clock.now()))
    }
  }

  /**
   * Items of a list, newest first: `limit` of them, and all others of the same millisecond as the last one, so that
   * reading on with `until` of the last one loses nothing.
   */
  async page(list: string, { from, until }: TimelineWindow, limit: number): Promise<TimelineItem[]> {
    const items: Row[] = await this.newestFirst(list).andWhere('at', '>=', from).andWhere('at', '<', until).limit(limit)
    const last = items.at(-1)
    if (items.length < limit || last === undefined) return items.map(read)
    const rest: Row[] = await this.newestFirst(list).andWhere({ at: last.at }).andWhere('item', '<', last.item)
    return [...items, ...rest].map(read)
  }

  /** How many items stand in the window. */
  async total(list: string, { from, until }: TimelineWindow): Promise<number> {
    if (until <= from) return 0
    const now = this.use.clock.now()
    return (await this.use.marks.before(list, until, now)) - (await this.use.marks.before(list, from, now))
  }

  private async missing(entries: readonly TimelineEntry[]): Promise<TimelineEntry[]> {
    if (entries.length === 0) return []
    const all = <K extends keyof TimelineEntry>(column: K) => [...new Set(entries.map((entry) => entry[column]))]
    const rows: (Row & { list: string })[] = await this.use.database
      .query(TABLE)
      .whereIn('list', all('list'))
      .whereIn('at', all('at'))
      .whereIn('item', all('item'))
      .select('list', 'at', 'item')
    const present = new Set(rows.map((row) => `${row.list} ${row.at} ${row.item}`))
    return entries.filter(({ list, at, item }) => !present.has(`${list} ${at} ${item}`))
  }

  private newestFirst(list: string) {
    const order = ['at', 'item'].map((column) => ({ column, order: 'desc' }))
    return this.use.database.query(TABLE).where({ list }).orderBy(order).select('at', 'item')
  }
}

interface Row {
  at: number | string
  item: string
}
const read = ({ at, item }: Row): TimelineItem => ({ at: Number(at), item })
