import { addedField } from './added-field.js'
import type { RevisionComparison } from './revision-comparison.js'
import { elementsOf, PdfRef, type PdfValue } from './values.js'

const OTHERWISE: ReadonlySet<string> = new Set(['Annots', 'Parent', 'LastModified'])

/** Compares the pages of two revisions: the same ones in the same order, each with what it shows (ISO 32000-2, 7.7.3). */
export function comparePages(comparison: RevisionComparison, older: PdfValue, newer: PdfValue): void {
  const waiting: (readonly [PdfValue, PdfValue])[] = [[older, newer]]
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const number = next[0] instanceof PdfRef ? comparison.pages.get(next[0].number) : undefined
    const place = { kind: 'page', ...(number !== undefined && { page: number }) } as const
    const nodes = comparison.both(next[0], next[1], place)
    if (nodes === undefined) continue
    const [one, other] = nodes
    // A page is known by its number: two places that change their pages have other numbers.
    if (!isSameReference(next[0], next[1])) comparison.say(place)
    comparison.compare(one, other, place, number === undefined ? NODE : OTHERWISE)
    if (number !== undefined) {
      compareAnnotations(comparison, one.get('Annots'), other.get('Annots'), number)
      continue
    }
    const [kids, newKids] = [comparison.older.resolve(one.get('Kids')), comparison.newer.resolve(other.get('Kids'))]
    const [all, newAll] = [elementsOf(kids), elementsOf(newKids)]
    if (all.length !== newAll.length) comparison.say(place)
    for (const [index, kid] of all.entries()) waiting.push([kid, newAll[index] ?? null])
  }
}

const NODE: ReadonlySet<string> = new Set(['Kids', 'Parent'])

const isSameReference = (one: PdfValue, other: PdfValue): boolean =>
  one instanceof PdfRef && other instanceof PdfRef && one.number === other.number

/** Annotations stay, in their order; only signature fields may come (12.5.2). */
function compareAnnotations(comparison: RevisionComparison, older: PdfValue, newer: PdfValue, page: number): void {
  const all = elementsOf(comparison.older.resolve(older))
  const newAll = elementsOf(comparison.newer.resolve(newer))
  const place = { kind: 'annotation', page } as const
  let at = 0
  for (const annotation of newAll) {
    const known = all[at]
    if (known !== undefined && (!(known instanceof PdfRef) || isSameReference(known, annotation))) {
      at += 1
      comparison.compare(known, annotation, place)
    } else if (!(annotation instanceof PdfRef) || !addedField(comparison, annotation, page)) comparison.say(place)
  }
  if (at < all.length) comparison.say(place)
}
