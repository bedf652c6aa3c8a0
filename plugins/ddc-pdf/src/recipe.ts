import { PDFDict, type PDFDocument, PDFHexString, PDFName, PDFString } from 'pdf-lib'

const OURS = PDFName.of('SignedRegistry')
/** A card says no more than this of how it was made. */
const MAX_LENGTH = 4096

/** Writes into a card how it is made, where programs keep what is theirs (ISO 32000-1, 14.5, page-piece dictionaries). */
export function writeRecipe(pdf: PDFDocument, recipe: string, at: Date): void {
  const piece = { LastModified: PDFString.fromDate(at), Private: PDFHexString.fromText(recipe) }
  pdf.catalog.set(PDFName.of('PieceInfo'), pdf.context.obj({ [OURS.decodeText()]: piece }))
}

/** How a card says that it was made. */
export function recipeIn(pdf: PDFDocument): string | undefined {
  const pieces = pdf.catalog.lookup(PDFName.of('PieceInfo'))
  const piece = pieces instanceof PDFDict ? pieces.lookup(OURS) : undefined
  const text = piece instanceof PDFDict ? piece.lookup(PDFName.of('Private')) : undefined
  if (!(text instanceof PDFHexString) || text.sizeInBytes() > 4 * MAX_LENGTH) return undefined
  return text.decodeText()
}

/**
 * Why two cards cannot be compared by how they say that they were made: another way of drawing them, or other settings. The
 * host has read the recipe of the one, and has written that of the other.
 */
export function otherMaking(text: string, again: string): 'otherDrawing' | 'otherSettings' | undefined {
  const [one, other] = [making(text), making(again)]
  if (one === undefined || other === undefined || one.drawing !== other.drawing) return 'otherDrawing'
  return one.settings === other.settings ? undefined : 'otherSettings'
}

function making(text: string): { drawing: unknown; settings: unknown } | undefined {
  try {
    const read: unknown = JSON.parse(text)
    const isRecipe = typeof read === 'object' && read !== null && 'drawing' in read && 'settings' in read
    return isRecipe ? { drawing: read.drawing, settings: read.settings } : undefined
  } catch {
    return undefined
  }
}
