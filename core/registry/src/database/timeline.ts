import type { Knex } from 'knex'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { Database } from './database.js'
import { isUniqueViolation } from './dialect.js'

const ITEMS = 'registry_timelines'
const MARKS = 'registry_timeline_marks'
/** Items between two marks. */
const STRIDE = 1000
/** New items arrive within this time of their own; marks are older, so that none is inserted before one unnoticed. */
const SETTLED_MS = 10 * 60_000
const LATE_MS = SETTLED_MS / 2
const BEGINNING = 0
const LISTS_WATCHED = 10_000

/**
 * Counts the items of a list before a moment without reading them all: marks store the count at some moments. Readers and
 * writers of long lists set marks; writers correct those after an item that is added or removed. The first mark of a list is
 * the lock for all of them.
 */
export class TimelineMarks {
  static readonly inject = { database: Database }
  private seen: number | undefined
  /** Items added to each list since a writer of this process last set its marks. */
  private readonly grown = new Map<string, number>()

  constructor(private readonly use: Injected<typeof TimelineMarks.inject>) {}

  /** Items of a list before `moment`. */
  async before(list: string, moment: number, now: number): Promise<number> {
    if (this.seen !== undefined) this.seen = Math.max(this.seen, now)
    if (moment <= BEGINNING) return 0
    const mark = await this.markBefore(list, moment)
    const counted = await this.count(list, mark.at, moment)
    if (counted > 2 * STRIDE) await this.setMarks(list, now)
    return mark.before + counted
  }

  /**
   * Sets the marks of a list in the background once many items were added, so that its next reader need not count them all.
   * Called in the transaction that adds an item.
   */
  grow(list: string, now: number): void {
    const grown = (this.grown.get(list) ?? 0) + 1
    if (this.grown.size > LISTS_WATCHED) this.grown.clear()
    if (grown < STRIDE) this.grown.set(list, grown)
    else {
      this.grown.delete(list)
      // A reader sets what is not set here.
      this.use.database.afterCommit(() => void this.setMarks(list, now).catch(() => undefined))
    }
  }

  /** Corrects the marks after an item that is added (1) or removed (-1), unless it is newer than `late`; in that transaction. */
  async shift(list: string, at: number, by: 1 | -1, late: number): Promise<void> {
    if (at > late) return
    await this.lock(list)
    await this.use.database.query(MARKS).where({ list }).andWhere('at', '>', at).increment('items_before', by)
  }

  /** Items of this time or earlier may be older than a mark. */
  async late(now: number): Promise<number> {
    return (await this.latest(now)) - LATE_MS
  }

  /** The latest time seen anywhere: after a clock goes back, new items may be older than existing marks. */
  private async latest(now: number): Promise<number> {
    if (this.seen === undefined) {
      const mark: { at?: number | string | null } | undefined = await this.use.database
        .query(MARKS)
        .max({ at: 'at' })
        .first()
      this.seen = Number(mark?.at ?? 0) + SETTLED_MS
    }
    this.seen = Math.max(this.seen, now)
    return this.seen
  }

  private async setMarks(list: string, now: number): Promise<void> {
    await this.use.database.transaction(async () => {
      await this.lock(list)
      for (let { at, before } = await this.markBefore(list, now); ; ) {
        const next: { at: number } | undefined = await this.use.database
          .query(ITEMS)
          .where({ list })
          .andWhere('at', '>', at)
          .orderBy('at')
          .offset(STRIDE)
          .first('at')
        if (next === undefined || Number(next.at) > now - SETTLED_MS) return
        before += await this.count(list, at, Number(next.at))
        at = Number(next.at)
        await this.use.database.query(MARKS).insert({ list, at, items_before: before })
      }
    })
  }

  private async lock(list: string): Promise<void> {
    const first = { list, at: BEGINNING }
    const row: unknown = await this.use.database.query(MARKS).where(first).forUpdate().first('at')
    if (row !== undefined) return
    try {
      await this.use.database.query(MARKS).insert({ ...first, items_before: 0 })
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      await this.use.database.query(MARKS).where(first).forUpdate().first('at')
    }
  }

  private async markBefore(list: string, moment: number): Promise<{ at: number; before: number }> {
    const row: { at: number; items_before: number } | undefined = await this.use.database
      .query(MARKS)
      .where({ list })
      .andWhere('at', '<=', moment)
      .orderBy('at', 'desc')
      .first('at', 'items_before')
    return row === undefined ? { at: BEGINNING, before: 0 } : { at: Number(row.at), before: Number(row.items_before) }
  }

  private async count(list: string, from: number, until: number): Promise<number> {
    const row: { total?: number | string } | undefined = await this.use.database.read((query) =>
      query(ITEMS).where({ list }).andWhere('at', '>=', from).andWhere('at', '<', until).count({ total: '*' }).first(),
    )
    return Number(row?.total ?? 0)
  }
}

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

/** SQLite takes at most 500 in one insert. */
const ROWS_AT_ONCE = 250

/** Lists of things by time, newest first; the cost of pages and totals does not grow with a list. */
export class Timeline {
  static readonly inject = { database: Database, marks: TimelineMarks, clock: Clock }

  constructor(private readonly use: Injected<typeof Timeline.inject>) {}

  /** Adds an item to lists; it may be in some of them already. Runs in the caller's transaction. */
  async add(lists: readonly string[], item: TimelineItem): Promise<void> {
    return this.addAll(lists.map((list) => ({ list, ...item })))
  }

  /** Like `add`, for any number of items. */
  async addAll(entries: readonly TimelineEntry[]): Promise<void> {
    await this.addNew(await this.missing(entries))
  }

  /** Like `addAll`, for items that are not in these lists yet. */
  async addNew(entries: readonly TimelineEntry[]): Promise<void> {
    for (let from = 0; from < entries.length; from += ROWS_AT_ONCE) {
      const rows = entries.slice(from, from + ROWS_AT_ONCE).map(({ list, at, item }) => ({ list, at, item }))
      await this.use.database.insertLater(ITEMS, rows)
    }
    const now = this.use.clock.now()
    const late = await this.use.marks.late(now)
    for (const { list, at } of entries) {
      await this.use.marks.shift(list, at, 1, late)
      this.use.marks.grow(list, now)
    }
  }

  /** Removes an item from lists; it may be missing from some of them. Runs in the caller's transaction. */
  async remove(lists: readonly string[], { at, item }: TimelineItem): Promise<void> {
    const { clock, marks } = this.use
    for (const list of lists) {
      const removed = await this.use.database.query(ITEMS).where({ list, at, item }).delete()
      if (removed > 0) await marks.shift(list, at, -1, await marks.late(clock.now()))
    }
  }

  /**
   * Items of a list, newest first: `limit` of them, and all others of the same millisecond as the last one, so that
   * the next page, with its time as `until`, misses none.
   */
  async page(list: string, { from, until }: TimelineWindow, limit: number): Promise<TimelineItem[]> {
    return this.use.database.read(async (query) => {
      const all = newestFirst(query, list)
      const items: Row[] = await all.clone().andWhere('at', '>=', from).andWhere('at', '<', until).limit(limit)
      const last = items.at(-1)
      if (items.length < limit || last === undefined) return items.map(read)
      const rest: Row[] = await all.andWhere({ at: last.at }).andWhere('item', '<', last.item)
      return [...items, ...rest].map(read)
    })
  }

  /** The number of items in the window. */
  async total(list: string, { from, until }: TimelineWindow): Promise<number> {
    if (until <= from) return 0
    const now = this.use.clock.now()
    return (await this.use.marks.before(list, until, now)) - (await this.use.marks.before(list, from, now))
  }

  /** `page` and `total` of a list, asked at once where the caller is in no transaction. */
  async counted(
    list: string,
    window: TimelineWindow,
    limit: number,
  ): Promise<{ total: number; items: TimelineItem[] }> {
    if (this.use.database.inTransaction)
      return { total: await this.total(list, window), items: await this.page(list, window, limit) }
    const [total, items] = await Promise.all([this.total(list, window), this.page(list, window, limit)])
    return { total, items }
  }

  private async missing(entries: readonly TimelineEntry[]): Promise<TimelineEntry[]> {
    if (entries.length === 0) return []
    const all = <K extends keyof TimelineEntry>(column: K) => [...new Set(entries.map((entry) => entry[column]))]
    const rows: (Row & { list: string })[] = await this.use.database
      .query(ITEMS)
      .whereIn('list', all('list'))
      .whereIn('at', all('at'))
      .whereIn('item', all('item'))
      .select('list', 'at', 'item')
    const present = new Set(rows.map((row) => `${row.list} ${row.at} ${row.item}`))
    return entries.filter(({ list, at, item }) => !present.has(`${list} ${at} ${item}`))
  }
}

const ORDER = ['at', 'item'].map((column) => ({ column, order: 'desc' }))
const newestFirst = (query: Knex, list: string) => query(ITEMS).where({ list }).orderBy(ORDER).select('at', 'item')

interface Row {
  at: number | string
  item: string
}
const read = ({ at, item }: Row): TimelineItem => ({ at: Number(at), item })
