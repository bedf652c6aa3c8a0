import { asFileName, withoutId } from '../documents/index.js'
import { documentPage, type Site } from '../kernel/site.js'

/** Whether a card shows the identifier of its document. */
interface Shown {
  readonly documentId: string
  readonly showsId: boolean
}

/** Where a card leads to: the page of its document, or the service where the identifier is not shown. */
export const cardLink = (site: Site, { documentId, showsId }: Shown): string =>
  showsId ? documentPage(site, documentId) : site.baseUrl

/** The name of the original in a card, made of what was asked for or the title. */
export function nameInCard(wanted: string, { documentId, showsId }: Shown): string {
  const name = asFileName(wanted)
  if (showsId) return name || documentId
  const bare = withoutId(name, documentId)
  return bare === '' || bare.startsWith('.') ? `document${bare}` : bare
}
