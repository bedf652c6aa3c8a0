import type { ComparedPages } from '@signed-registry/core'
import { ParseSpeeds, type PDFDict, PDFDocument, PDFName, type PDFObject, type PDFPage } from 'pdf-lib'
import { AT_ONCE, buildCard } from './build-card.js'
import type { DrawnCard } from './job.js'
import type { PdfBounds } from './open-pdf.js'
import { recipeDifference, recipeIn } from './recipe.js'
import { SameObjects } from './same-objects.js'

const AS_WRITTEN = { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest }

/** A card and what to rebuild it from. */
interface Comparison {
  readonly card: Uint8Array
  readonly again: DrawnCard
  /** Limits for the original inside. */
  readonly originals: PdfBounds
}

/**
 * Rebuilds a card and compares the two. pdf-lib reads objects in file order, other readers follow the cross-reference table:
 * so that all readers see the same pages, the file must equal what pdf-lib writes after reading it.
 */
export async function comparePages(pdf: PDFDocument, { card, again, originals }: Comparison): Promise<ComparedPages> {
  const other = recipeDifference(recipeIn(pdf) ?? '', again.recipe)
  if (other !== undefined) return { compared: 'notCompared', reason: other }
  const rebuilt = await PDFDocument.load(await buildCard(again, originals), AS_WRITTEN)
  const isSame = sameTrailers(pdf, rebuilt) && Buffer.compare(card, await pdf.save(AT_ONCE)) === 0
  return isSame ? { compared: 'same' } : { compared: 'differ', numbers: differentPages(pdf, rebuilt) }
}

/** Compares everything reachable from the trailer, decompressed: another release of Node may compress differently. */
function sameTrailers(pdf: PDFDocument, rebuilt: PDFDocument): boolean {
  const objects = new SameObjects(pdf.context, rebuilt.context)
  const [own, other] = [pdf.context.trailerInfo, rebuilt.context.trailerInfo]
  return objects.same(own.Root, other.Root) && objects.same(own.Info, other.Info) && objects.same(own.ID, other.ID)
}

/** Numbers, from 1, of the pages that differ or that only one of the two has. */
function differentPages(pdf: PDFDocument, rebuilt: PDFDocument): number[] {
  const objects = new SameObjects(pdf.context, rebuilt.context)
  const [own, others] = [pdf.getPages(), rebuilt.getPages()]
  const numbers = Array.from({ length: Math.max(own.length, others.length) }, (_, n) => n + 1)
  return numbers.filter((number) => !samePages(objects, own[number - 1], others[number - 1]))
}

const PARENT = PDFName.of('Parent')
/** Page attributes that are inherited in the page tree (ISO 32000-1, 7.7.3.4). */
const INHERITED = ['Resources', 'MediaBox', 'CropBox', 'Rotate'].map((name) => PDFName.of(name))

function samePages(objects: SameObjects, own: PDFPage | undefined, other: PDFPage | undefined): boolean {
  if (own === undefined || other === undefined) return false
  const keys = new Set([...own.node.keys(), ...other.node.keys(), ...INHERITED].filter((key) => key !== PARENT))
  return [...keys].every((key) => objects.same(entryOf(own, key), entryOf(other, key)))
}

function entryOf({ node }: PDFPage, key: PDFName): PDFObject | undefined {
  const dict: PDFDict = node
  return INHERITED.includes(key) ? node.getInheritableAttribute(key) : dict.get(key)
}
