import { checkLength } from '../kernel/field-length.js'
import { cursorBefore, type SearchCursor } from './search-cursor.js'
import type { Timeline, TimelineItem, TimelineWindow } from './timeline.js'

const AT_ONCE = 200

/** A list to look through, newest first: how many items make a page of the answer, and at how many to look, 0 for all. */
export interface ScannedList {
  readonly timeline: Timeline
  readonly list: string
  readonly window: TimelineWindow
  readonly limit: number
  readonly most: number
}

/** A page of what was found, and of the same millisecond as its last item all; the total among those that were looked at. */
export interface Scanned {
  readonly ids: string[]
  readonly total: number
  /** Where to go on: after the page, or where nothing more was looked at; absent at the end of the list. */
  readonly next: SearchCursor | undefined
}

/** Finds the items of a list that match before `window.until`; the work is bounded by `most`. */
export async function scanList(
  { timeline, list, window, limit, most }: ScannedList,
  matching: (items: readonly TimelineItem[]) => Promise<ReadonlySet<string>>,
): Promise<Scanned> {
  const ids: string[] = []
  let total = 0
  let lastAt = 0
  let isComplete = false
  let { until } = window
  for (let seen = 0; (most === 0 || seen < most) && !isComplete; ) {
    const size = most === 0 ? AT_ONCE : Math.min(AT_ONCE, most - seen)
    const page = await timeline.page(list, { ...window, until }, size)
    const found = await matching(page)
    for (const { item, at } of page) {
      if (!found.has(item)) continue
      total += 1
      if (ids.length >= limit && at !== lastAt) continue
      ids.push(item)
      lastAt = at
    }
    seen += page.length
    until = page.at(-1)?.at ?? until
    isComplete = page.length < size
  }
  if (ids.length < total) return { ids, total, next: cursorBefore(lastAt) }
  return { ids, total, next: isComplete ? undefined : cursorBefore(until) }
}

const QUERY_LENGTH = 255
const QUERY_WORDS = 10

/** The words of a `searchQuery`, in lower case; the first ten. Refuses a query that is too long. */
export function queryWords(query: string): string[] {
  checkLength('searchQuery', query, QUERY_LENGTH)
  return query.toLowerCase().split(/\s+/).filter(Boolean).slice(0, QUERY_WORDS)
}
