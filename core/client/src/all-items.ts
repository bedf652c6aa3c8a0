import type { Client } from './client.js'
import { LISTS, type Operations } from './operations.js'

/** An operation that answers a list in pages. */
export type ListOperation = keyof typeof LISTS & keyof Operations

type Answer<O extends ListOperation> = Operations[O]['answer']
type ItemsOf<O extends ListOperation> = Answer<O>[(typeof LISTS)[O]['items'] & keyof Answer<O>]
/** One item of a list. */
export type Item<O extends ListOperation> = ItemsOf<O> extends readonly (infer I)[] ? I : never

/**
 * Iterates over a list page by page: `for await (const document of allItems(client, 'listDocuments', { query: {} }))`.
 * Starts where the query says and stops at the first empty page, or where a search ends.
 */
export async function* allItems<O extends ListOperation>(
  client: Client,
  operation: O,
  input: Operations[O]['input'],
): AsyncGenerator<Item<O>, void, undefined> {
  const { items, cursor, from } = LISTS[operation]
  let query: object = ('query' in input && input.query) || {}
  for (;;) {
    const answer = new Map(Object.entries(await Reflect.apply(client[operation], undefined, [{ ...input, query }])))
    const page: unknown = answer.get(items)
    if (!Array.isArray(page)) return
    yield* page
    const searchCursor: unknown = answer.get('searchCursor')
    if (searchCursor === undefined && page.length === 0) return
    query = searchCursor === undefined ? { ...query, [cursor]: page.at(-1)[from] } : { ...query, searchCursor }
  }
}
