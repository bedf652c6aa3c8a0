import { PDFDict, type PDFDocument, PDFHexString, PDFName, PDFString } from 'pdf-lib'

const OURS = PDFName.of('SignedRegistry')
/** Characters of a recipe. */
const MAX_LENGTH = 4096

/** Embeds the recipe of a card as private application data (ISO 32000-1, 14.5, page-piece dictionaries). */
export function writeRecipe(pdf: PDFDocument, recipe: string, at: Date): void {
  const piece = { LastModified: PDFString.fromDate(at), Private: PDFHexString.fromText(recipe) }
  pdf.catalog.set(PDFName.of('PieceInfo'), pdf.context.obj({ [OURS.decodeText()]: piece }))
}

/** The recipe that is embedded in a card. */
export function recipeIn(pdf: PDFDocument): string | undefined {
  const pieces = pdf.catalog.lookup(PDFName.of('PieceInfo'))
  const piece = pieces instanceof PDFDict ? pieces.lookup(OURS) : undefined
  const text = piece instanceof PDFDict ? piece.lookup(PDFName.of('Private')) : undefined
  if (!(text instanceof PDFHexString) || text.sizeInBytes() > 4 * MAX_LENGTH) return undefined
  return text.decodeText()
}

/** Why two cards cannot be compared, according to their recipes: another version of the drawing, or other settings. */
export function recipeDifference(text: string, again: string): 'otherDrawing' | 'otherSettings' | undefined {
  const [one, other] = [parsedRecipe(text), parsedRecipe(again)]
  if (one === undefined || other === undefined || one.drawing !== other.drawing) return 'otherDrawing'
  return one.settings === other.settings ? undefined : 'otherSettings'
}

function parsedRecipe(text: string): { drawing: unknown; settings: unknown } | undefined {
  try {
    const read: unknown = JSON.parse(text)
    const isRecipe = typeof read === 'object' && read !== null && 'drawing' in read && 'settings' in read
    return isRecipe ? { drawing: read.drawing, settings: read.settings } : undefined
  } catch {
    return undefined
  }
}
