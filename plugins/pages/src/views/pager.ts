import { type Html, html, nothing } from '../html.js'
import type { Visit } from '../visit.js'

/** How far a list was read. */
export interface Reading {
  /** Rows on the page. */
  readonly count: number
  readonly total: number
  /** The time of the oldest row: the next page has what is older. */
  readonly oldest: number | undefined
  /** Where a search goes on that is not at its end. */
  readonly searchCursor: string | undefined
}

/** Links back to the beginning of a list, and to what follows. */
export function pager({ url, query, texts: { lists } }: Visit, { count, total, oldest, searchCursor }: Reading): Html {
  const isSearch = (query.get('q') ?? '').trim() !== ''
  const back = withQuery(url, { until: undefined, cursor: undefined })
  const next = (change: Readonly<Record<string, string>>, label: string) =>
    html`<a class="button" rel="next" href="${withQuery(url, change)}">${label}</a>`
  const hasOlder = !isSearch && count > 0 && count < total
  return html`<p class="pager">${query.has('until') || query.has('cursor') ? html`<a class="button" href="${back}">${isSearch ? lists.searchAgain : lists.newest}</a>` : nothing}
${searchCursor !== undefined ? next({ cursor: searchCursor }, lists.searchOn) : nothing}${hasOlder && oldest !== undefined ? next({ until: String(oldest) }, lists.older) : nothing}</p>`
}

/** The URL with other parameters; `undefined` removes one. */
export function withQuery(url: string, changes: Readonly<Record<string, string | undefined>>): string {
  const { pathname, searchParams } = new URL(url, 'http://here.invalid')
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) searchParams.delete(name)
    else searchParams.set(name, value)
  }
  const query = searchParams.toString()
  return query === '' ? pathname : `${pathname}?${query}`
}
