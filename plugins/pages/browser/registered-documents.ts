import type { CheckedFiles } from '@signed-registry/client'
import { client } from './api.js'
import { day } from './dates.js'
import { make, own } from './dom.js'
import { texts } from './texts.js'

/** A registered document that was found by a hash. */
export type FoundDocument = CheckedFiles['documents'][number]['registered'][number]

/** Most hashes in one request. */
const MAX_DIGESTS = 16

/** Documents that are registered with any of these hashes. */
export async function registeredDocuments(digests: readonly string[]): Promise<readonly FoundDocument[]> {
  const all = [...new Set(digests)]
  const found = new Map<string, FoundDocument>()
  for (let at = 0; at < all.length; at += MAX_DIGESTS) {
    const digest = all.slice(at, at + MAX_DIGESTS).join(',')
    const { documents } = await client.findDocumentsByDigest({ query: { digest } })
    for (const one of documents) found.set(one.documentId, one)
  }
  return [...found.values()]
}

/** Registered documents as a list of links. */
export const documentList = (documents: readonly FoundDocument[]): HTMLElement =>
  make(
    'ul',
    { class: 'rows' },
    ...documents.map(({ documentId, title, storedAt, signaturesTotal }) =>
      make(
        'li',
        {},
        make('a', { href: `/d/${documentId}` }, own(title === '' ? texts.untitled : title)),
        make('span', { class: 'chip' }, texts.signaturesTotal(signaturesTotal)),
        make('span', { class: 'hint' }, day(storedAt)),
      ),
    ),
  )

/** A link to a registered document, or to one of its signatures. */
export const opening = (documentId: string, part = ''): HTMLElement =>
  make('a', { class: 'button strong', href: `/d/${documentId}${part}` }, texts.open)
