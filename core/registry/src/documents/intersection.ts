import { setImmediate as yieldToOthers } from 'node:timers/promises'
import type { TimelineItem, TimelineWindow } from '../database/timeline.js'
import type { Conditions, Postings, PostingsReader } from './postings.js'

/** At most so many matches are counted where the allowance is bounded. */
export const MAX_COUNTED = 1000
/** Entries in one read; fewer at first, since they often fill a page. */
const FIRST_BATCH = 250
const BATCH = 1000
/** Reads for the total, after the page is full. */
const ROUNDS_FOR_TOTAL = 2

/** How many entries the reads of one search may still take, all together. */
export interface Allowance {
  left: number
}

/** What a document has to be in: all of `postings`, any of which can be read along; the other conditions are looked up. */
export interface Searched extends Omit<Conditions, 'among'> {
  readonly postings: readonly Postings[]
  /** What follows from the other conditions: it can be read along too, and is never looked up. */
  readonly implied?: Postings | undefined
}

/**
 * Intersects lists of postings, newest first. Each read follows the one that reaches farthest back, which may be another in
 * other years, and looks its documents up in the others.
 */
export class Intersection {
  readonly matches: TimelineItem[] = []
  /** Everything of this time or later was read. */
  until: number
  private isBounded = true

  constructor(
    private readonly reader: PostingsReader,
    private readonly searched: Searched,
    private readonly window: TimelineWindow,
  ) {
    this.until = window.until
  }

  get ended(): boolean {
    return this.until <= this.window.from
  }

  /** Reads until it has more than a page and has counted on for a while, or the allowance is used up. */
  async read(limit: number, allowance: Allowance): Promise<void> {
    this.isBounded = allowance.left < Number.POSITIVE_INFINITY
    for (let round = 1; !this.ended && allowance.left > 0; round += 1) {
      const size = Math.min(round === 1 ? FIRST_BATCH : BATCH, allowance.left)
      const rest = { from: this.window.from, until: this.until }
      const driver = await this.driver(rest, size)
      const among = this.searched.postings.filter((one) => one !== driver)
      const { matches, until } = await this.reader.read(driver, { ...this.searched, among }, rest, size)
      this.matches.push(...matches)
      this.until = until
      allowance.left -= size
      const isCounted = this.matches.length > limit && round >= ROUNDS_FOR_TOTAL
      if (this.isBounded && (isCounted || this.matches.length >= MAX_COUNTED)) return
      await yieldToOthers()
    }
  }

  /** How many matches were counted, at least those of a page. */
  counted(page: readonly TimelineItem[]): number {
    return this.isBounded ? Math.max(page.length, Math.min(this.matches.length, MAX_COUNTED)) : this.matches.length
  }

  /** A page, and all others of the same millisecond as the last one. */
  page(limit: number): TimelineItem[] {
    const last = this.matches[limit - 1]
    return last === undefined ? [...this.matches] : this.matches.filter(({ at }, n) => n < limit || at === last.at)
  }

  /** Before which time to go on after that page; `undefined` at the end. */
  after(page: readonly TimelineItem[]): number | undefined {
    if (page.length < this.matches.length) return page.at(-1)?.at
    return this.ended ? undefined : this.until
  }

  private async driver(rest: TimelineWindow, size: number): Promise<Postings> {
    const { implied, postings: needed } = this.searched
    const postings = implied === undefined ? needed : [implied, ...needed]
    const reached = postings.length > 1 ? await this.reader.reach(postings, rest, size) : []
    const [best] = postings.map((one, n) => ({ one, at: reached[n] ?? 0 })).sort((a, b) => a.at - b.at)
    if (best === undefined) throw new TypeError('A search reads at least the list')
    return best.one
  }
}
