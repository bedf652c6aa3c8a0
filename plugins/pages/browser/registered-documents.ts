import { client } from './api.js'
import { make, own } from './dom.js'
import { day } from './moments.js'
import { texts } from './texts.js'

/** As many hashes as one request may ask for. */
const MOST_DIGESTS = 16

/** Documents that are registered with any of these hashes, as a list of links. */
export async function registeredDocuments(
  digests: readonly string[],
): Promise<{ readonly found: number; readonly list: HTMLElement }> {
  const all = [...new Set(digests)]
  const found = new Map<string, HTMLElement>()
  for (let at = 0; at < all.length; at += MOST_DIGESTS) {
    const digest = all.slice(at, at + MOST_DIGESTS).join(',')
    const { documents } = await client.findDocumentsByDigest({ query: { digest } })
    for (const { documentId, title, storedAt, signaturesTotal } of documents) {
      const row = make(
        'li',
        {},
        make('a', { href: `/d/${documentId}` }, own(title === '' ? texts.untitled : title)),
        make('span', { class: 'chip' }, texts.signaturesTotal(signaturesTotal)),
        make('span', { class: 'hint' }, day(storedAt)),
      )
      found.set(documentId, row)
    }
  }
  return { found: found.size, list: make('ul', { class: 'rows' }, ...found.values()) }
}

/** A link to a registered document, or to one of its signatures. */
export const opening = (documentId: string, part = ''): HTMLElement =>
  make('a', { class: 'button strong', href: `/d/${documentId}${part}` }, texts.open)
