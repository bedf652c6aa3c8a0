import { asFileName, withoutId } from '../documents/index.js'
import { documentPage, type Site } from '../kernel/site.js'

/** Whether a card shows the identifier of its document. */
interface Shown {
  readonly documentId: string
  readonly showsId: boolean
}

/** The address that a card links to: the page of its document, or the service if it hides the identifier. */
export const cardLink = (site: Site, { documentId, showsId }: Shown): string =>
  showsId ? documentPage(site, documentId) : site.baseUrl

/** The name of the original in a card, from the requested name or the title. */
export function nameInCard(wanted: string, { documentId, showsId }: Shown): string {
  const name = asFileName(wanted)
  if (showsId) return name || documentId
  const bare = withoutId(name, documentId)
  return bare === '' || bare.startsWith('.') ? `document${bare}` : bare
}
