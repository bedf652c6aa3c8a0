import type { Injected } from '../kernel/service.js'
import { Database } from './database.js'
import { isUniqueViolation } from './dialect.js'

const ITEMS = 'registry_timelines'
const TABLE = 'registry_timeline_marks'
/** Items between two marks. */
const STRIDE = 1000
/** New items come within this time of theirs; a mark may only stand where none can come unnoticed. */
const SETTLED_MS = 10 * 60_000
const LATE_MS = SETTLED_MS / 2
const BEGINNING = 0
const LISTS_WATCHED = 10_000

/**
 * Counts the items of a list before a moment without reading them all: marks remember the count at some moments. Readers set
 * marks, and so does a writer by whom a list has grown; writers correct them when an item comes or goes before one. The first
 * mark is the lock of all.
 */
export class TimelineMarks {
  static readonly inject = { database: Database }
  private seen: number | undefined
  /** Items that came to lists since a writer of this process has last set their marks. */
  private readonly grown = new Map<string, number>()

  constructor(private readonly use: Injected<typeof TimelineMarks.inject>) {}

  /** Items of a list before `moment`. */
  async before(list: string, moment: number, now: number): Promise<number> {
    if (this.seen !== undefined) this.seen = Math.max(this.seen, now)
    const mark = await this.markBefore(list, moment)
    const counted = await this.count(list, mark.at, moment)
    if (counted > 2 * STRIDE) await this.setMarks(list, now)
    return mark.before + counted
  }

  /**
   * Sets the marks of a list once many items have come, after the commit and with nobody waiting: else whoever reads it first
   * would count them all. In the transaction that adds an item.
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

  /** Corrects the marks after an item that came (1) or went (-1), unless all of them stand before what is `late`; in the transaction that changes the list. */
  async shift(list: string, at: number, by: 1 | -1, late: number): Promise<void> {
    if (at > late) return
    await this.lock(list)
    await this.use.database.query(TABLE).where({ list }).andWhere('at', '>', at).increment('items_before', by)
  }

  /** What comes with this time or an earlier one may stand before a mark. */
  async late(now: number): Promise<number> {
    return (await this.latest(now)) - LATE_MS
  }

  /** The latest time that anybody was seen to have: a clock may go back, and marks of before stand where new items come. */
  private async latest(now: number): Promise<number> {
    if (this.seen === undefined) {
      const mark: { at?: number | string | null } | undefined = await this.use.database
        .query(TABLE)
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
        await this.use.database.query(TABLE).insert({ list, at, items_before: before })
      }
    })
  }

  private async lock(list: string): Promise<void> {
    const first = { list, at: BEGINNING }
    const row: unknown = await this.use.database.query(TABLE).where(first).forUpdate().first('at')
    if (row !== undefined) return
    try {
      await this.use.database.query(TABLE).insert({ ...first, items_before: 0 })
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      await this.use.database.query(TABLE).where(first).forUpdate().first('at')
    }
  }

  private async markBefore(list: string, moment: number): Promise<{ at: number; before: number }> {
    const row: { at: number; items_before: number } | undefined = await this.use.database
      .query(TABLE)
      .where({ list })
      .andWhere('at', '<=', moment)
      .orderBy('at', 'desc')
      .first('at', 'items_before')
    return row === undefined ? { at: BEGINNING, before: 0 } : { at: Number(row.at), before: Number(row.items_before) }
  }

  private async count(list: string, from: number, until: number): Promise<number> {
    const row: { total?: number | string } | undefined = await this.use.database
      .query(ITEMS)
      .where({ list })
      .andWhere('at', '>=', from)
      .andWhere('at', '<', until)
      .count({ total: '*' })
      .first()
    return Number(row?.total ?? 0)
  }
}
