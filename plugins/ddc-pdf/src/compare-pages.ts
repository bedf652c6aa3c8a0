import type { ComparedPages } from '@signed-registry/core'
import { ParseSpeeds, type PDFDict, PDFDocument, PDFName, type PDFObject, type PDFPage } from 'pdf-lib'
import { AT_ONCE, buildCard } from './build-card.js'
import type { DrawnCard } from './job.js'
import type { PdfBounds } from './open-pdf.js'
import { otherMaking, recipeIn } from './recipe.js'
import { SameObjects } from './same-objects.js'

const AS_WRITTEN = { updateMetadata: false, parseSpeed: ParseSpeeds.Fastest }

/** What is built again, and how much of it. */
interface Again {
  readonly card: Uint8Array
  readonly again: DrawnCard
  /** Of the original in it. */
  readonly originals: PdfBounds
}

/**
 * Builds a card again and tells whether this is the same. pdf-lib reads objects in the order of a file, other readers where
 * its table says: so that all of them see the same pages, the file has to be just as pdf-lib writes what it has read.
 */
export async function comparePages(pdf: PDFDocument, { card, again, originals }: Again): Promise<ComparedPages> {
  const other = otherMaking(recipeIn(pdf) ?? '', again.recipe)
  if (other !== undefined) return { compared: 'notCompared', reason: other }
  const rebuilt = await PDFDocument.load(await buildCard(again, originals), AS_WRITTEN)
  const isSame = sameTrailers(pdf, rebuilt) && Buffer.compare(card, await pdf.save(AT_ONCE)) === 0
  return isSame ? { compared: 'same' } : { compared: 'differ', numbers: differentPages(pdf, rebuilt) }
}

/** All that can be reached, compression aside: another release of Node compresses otherwise. */
function sameTrailers(pdf: PDFDocument, rebuilt: PDFDocument): boolean {
  const objects = new SameObjects(pdf.context, rebuilt.context)
  const [own, other] = [pdf.context.trailerInfo, rebuilt.context.trailerInfo]
  return objects.same(own.Root, other.Root) && objects.same(own.Info, other.Info) && objects.same(own.ID, other.ID)
}

/** The numbers of pages that are not the same, from 1; of those that one of the two has alone, too. */
function differentPages(pdf: PDFDocument, rebuilt: PDFDocument): number[] {
  const objects = new SameObjects(pdf.context, rebuilt.context)
  const [own, others] = [pdf.getPages(), rebuilt.getPages()]
  const numbers = Array.from({ length: Math.max(own.length, others.length) }, (_, n) => n + 1)
  return numbers.filter((number) => !samePages(objects, own[number - 1], others[number - 1]))
}

const PARENT = PDFName.of('Parent')
/** What a page may have from the nodes above it (ISO 32000-1, 7.7.3.4). */
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
