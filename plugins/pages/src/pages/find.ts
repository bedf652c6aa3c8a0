import type { Page } from '../visit.js'

/** `/find?id=`: redirects from an identifier, a link or a file name to the page of the document. */
export const findPage: Page = async ({ query, use, caller }) => {
  const { id } = use.normalizeId.execute(caller, { specialId: query.get('id') ?? '' })
  return { location: `/d/${id}` }
}
