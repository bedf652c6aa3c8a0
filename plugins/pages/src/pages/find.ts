import type { Page } from '../visit.js'

/** `/find?id=`: leads from an identifier, a link or a file name to the page of its document. */
export const findPage: Page = async ({ query, use, caller }) => {
  const { id } = use.normalizeId.execute(caller, { specialId: query.get('id') ?? '' })
  return { location: `/d/${id}` }
}
