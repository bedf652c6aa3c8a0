import { notRead } from './errors.js'
import type { PdfDocument } from './pdf-document.js'
import { elementsOf, PdfRef, type PdfValue } from './values.js'

const MAX_DEPTH = 64
const MAX_PAGES = 200_000

/** The pages of a document, from 1, by the numbers of their objects (ISO 32000-2, 7.7.3). */
export function pageNumbers(document: PdfDocument): ReadonlyMap<number, number> {
  const pages = new Map<number, number>()
  const seen = new Set<number>()
  const root = document.dictionary(document.revision.trailer.get('Root'))
  look(root?.get('Pages') ?? null, 0)
  return pages

  function look(value: PdfValue, depth: number): void {
    if (!(value instanceof PdfRef)) return
    if (depth > MAX_DEPTH || seen.has(value.number) || pages.size > MAX_PAGES) throw notRead('pagesBroken')
    seen.add(value.number)
    const node = document.dictionary(value)
    if (node === undefined) return
    const kids = document.resolve(node.get('Kids'))
    if (kids === null) pages.set(value.number, pages.size + 1)
    for (const kid of elementsOf(kids)) look(kid, depth + 1)
  }
}
