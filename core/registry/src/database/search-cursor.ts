import Type from 'typebox'
import { requestErrors } from '../kernel/request-errors.js'
import type { TimelineWindow } from './timeline.js'

/** Where a search goes on. */
export interface SearchCursor {
  /** What is read: first what has the words themselves, then what has them inside others. */
  readonly phase: 'words' | 'parts'
  /** Which words of the query are searched for as they are: the n-th one is bit n; absent before that is known. */
  readonly exact?: number
  /** Everything of this time or later was read, milliseconds; absent at the beginning of a phase. */
  readonly before?: number
}

/** The cursor of lists that are searched in the order of time alone. */
export const cursorBefore = (before: number): SearchCursor => ({ phase: 'parts', exact: 0, before })

/** The field of answers with a cursor. */
export const searchCursorField = {
  searchCursor: Type.Optional(
    Type.String({
      description:
        'ours, with searchQuery: more may match, also where this page is empty: repeat the query with this searchCursor to search on; absent at the end',
    }),
  ),
}
/** The parameter that takes it. */
export const searchCursorParameter = {
  searchCursor: Type.Optional(
    Type.String({
      description:
        'ours: searchCursor of the answer before, to search on with the same query; empty to begin with what has the words of the query themselves, whatever has them inside longer words',
    }),
  ),
}

const WRITTEN = /^([wp])(\d{1,4})(?:\.(\d{1,16}))?$/

/** The field of an answer; nothing at the end of a search. */
export function searchCursorOf(cursor: SearchCursor | undefined): { searchCursor?: string } {
  if (cursor === undefined) return {}
  const { phase, exact = 0, before } = cursor
  return { searchCursor: `${phase === 'words' ? 'w' : 'p'}${exact}${before === undefined ? '' : `.${before}`}` }
}

/** A search of a list, and where it goes on. */
export interface AskedSearch {
  readonly query: string
  readonly cursor: SearchCursor | undefined
}

/** The search that is asked for; a blank query is none. Throws `invalidQueryParameter`, also for a cursor without a query. */
export function askedSearch({
  searchQuery = '',
  searchCursor,
}: {
  readonly searchQuery?: string | undefined
  readonly searchCursor?: string | undefined
}): AskedSearch | undefined {
  if (searchQuery.trim() !== '') return { query: searchQuery, cursor: readSearchCursor(searchCursor) }
  if (searchCursor) throw notACursor()
  return undefined
}

/** Reads the parameter; what is empty begins with the words themselves. */
function readSearchCursor(text: string | undefined): SearchCursor | undefined {
  if (text === undefined) return undefined
  if (text === '') return { phase: 'words' }
  const [, phase, exact, before] = WRITTEN.exec(text) ?? []
  if (phase === undefined) throw notACursor()
  return {
    phase: phase === 'w' ? 'words' : 'parts',
    exact: Number(exact),
    ...(before !== undefined && { before: Number(before) }),
  }
}

const notACursor = () => requestErrors.error('invalidQueryParameter', { parameter: 'searchCursor' })

/** The part of a window that is left. */
export const windowLeft = (
  { from, until }: TimelineWindow,
  { before = until }: Partial<SearchCursor> = {},
): TimelineWindow => ({
  from,
  until: Math.min(until, before),
})
