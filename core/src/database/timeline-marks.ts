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

/**
 * Counts the items of a list before a moment without reading them all: marks remember the count at some moments.
 * Readers set marks; writers correct them when an item comes or goes before one. The first mark is the lock of both.
 */
export class TimelineMarks {
  static readonly inject = [Database] as const

  constructor(private readonly database: Database) {}

  /** Items of a list before `moment`. */
  async before(list: string, moment: number, now: number): Promise<number> {
    const mark = await this.#markBefore(list, moment)
    const counted = await this.#count(list, mark.at, moment)
    if (counted > 2 * STRIDE) await this.#setMarks(list, now)
    return mark.before + counted
  }

  /** Corrects the marks after an item that came (1) or went (-1); in the transaction that changes the list. */
  async shift(list: string, at: number, by: 1 | -1, now: number): Promise<void> {
    if (at > now - LATE_MS) return
    await this.#lock(list)
    await this.database.query(TABLE).where({ list }).andWhere('at', '>', at).increment('items_before', by)
  }

  async #setMarks(list: string, now: number): Promise<void> {
    await this.database.transaction(async () => {
      await this.#lock(list)
      for (let { at, before } = await this.#markBefore(list, now); ; ) {
        const next: { at: number } | undefined = await this.database
          .query(ITEMS)
          .where({ list })
          .andWhere('at', '>', at)
          .orderBy('at')
          .offset(STRIDE)
          .first('at')
        if (next === undefined || Number(next.at) > now - SETTLED_MS) return
        before += await this.#count(list, at, Number(next.at))
        at = Number(next.at)
        await this.database.query(TABLE).insert({ list, at, items_before: before })
      }
    })
  }

  async #lock(list: string): Promise<void> {
    const first = { list, at: BEGINNING }
    const row: unknown = await this.database.query(TABLE).where(first).forUpdate().first('at')
    if (row !== undefined) return
    try {
      await this.database.query(TABLE).insert({ ...first, items_before: 0 })
    } catch (error) {
      if (!isUniqueViolation(error)) throw error
      await this.database.query(TABLE).where(first).forUpdate().first('at')
    }
  }

  async #markBefore(list: string, moment: number): Promise<{ at: number; before: number }> {
    const row: { at: number; items_before: number } | undefined = await this.database
      .query(TABLE)
      .where({ list })
      .andWhere('at', '<=', moment)
      .orderBy('at', 'desc')
      .first('at', 'items_before')
    return row === undefined ? { at: BEGINNING, before: 0 } : { at: Number(row.at), before: Number(row.items_before) }
  }

  async #count(list: string, from: number, until: number): Promise<number> {
    const row: { total?: number | string } | undefined = await this.database
      .query(ITEMS)
      .where({ list })
      .andWhere('at', '>=', from)
      .andWhere('at', '<', until)
      .count({ total: '*' })
      .first()
    return Number(row?.total ?? 0)
  }
}
