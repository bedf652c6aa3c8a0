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
