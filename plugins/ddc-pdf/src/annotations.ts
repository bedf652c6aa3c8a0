import {
  concatTransformationMatrix,
  drawObject,
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFName,
  PDFNumber,
  type PDFPage,
  PDFRef,
  PDFStream,
  popGraphicsState,
  pushGraphicsState,
} from 'pdf-lib'

/** The Hidden flag of an annotation (ISO 32000-1, 12.5.3). */
const HIDDEN = 2
const NO_VIEW = 32
const MAX_ANNOTATIONS = 2000

/** Flattens the annotations of a page (stamps, notes, form fields) into its content, since embedded pages lose their annotations. */
export function drawAnnotations(pdf: PDFDocument, page: PDFPage): void {
  const annotations = page.node.Annots()
  if (annotations === undefined) return
  for (let n = 0; n < Math.min(annotations.size(), MAX_ANNOTATIONS); n++) {
    const annotation = annotations.lookup(n)
    if (!(annotation instanceof PDFDict) || isHidden(annotation)) continue
    const appearance = appearanceOf(annotation)
    const matrix = appearance && placeOf(annotation, appearance.stream)
    if (appearance === undefined || matrix === undefined) continue
    const name = page.node.newXObject('Annotation', appearance.ref ?? pdf.context.register(appearance.stream))
    page.pushOperators(pushGraphicsState(), concatTransformationMatrix(...matrix), drawObject(name), popGraphicsState())
  }
}

function isHidden(annotation: PDFDict): boolean {
  const flags = annotation.lookup(PDFName.of('F'))
  const subtype = annotation.lookup(PDFName.of('Subtype'))
  return (
    subtype === PDFName.of('Popup') || (flags instanceof PDFNumber && (flags.asNumber() & (HIDDEN | NO_VIEW)) !== 0)
  )
}

/** The normal appearance stream; where it has states, the current one (12.5.5). */
function appearanceOf(annotation: PDFDict): { stream: PDFStream; ref: PDFRef | undefined } | undefined {
  const appearances = annotation.lookup(PDFName.of('AP'))
  if (!(appearances instanceof PDFDict)) return undefined
  const normal = appearances.lookup(PDFName.of('N'))
  const state = annotation.lookup(PDFName.of('AS'))
  const [holder, key] =
    normal instanceof PDFDict && state instanceof PDFName ? [normal, state] : [appearances, PDFName.of('N')]
  const stream = holder.lookup(key)
  const ref = holder.get(key)
  return stream instanceof PDFStream ? { stream, ref: ref instanceof PDFRef ? ref : undefined } : undefined
}

type Matrix = [number, number, number, number, number, number]

/** The matrix that maps the appearance's bounding box to the annotation's rectangle (12.5.5, algorithm 8.1). */
function placeOf(annotation: PDFDict, { dict }: PDFStream): Matrix | undefined {
  const rectangle = numbers(annotation.lookup(PDFName.of('Rect')), 4)
  const box = numbers(dict.lookup(PDFName.of('BBox')), 4)
  const [a = 1, b = 0, c = 0, d = 1, e = 0, f = 0] = numbers(dict.lookup(PDFName.of('Matrix')), 6) ?? []
  if (rectangle === undefined || box === undefined) return undefined
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0] = box
  const corners = [x1, x2].flatMap((x) => [y1, y2].map((y) => [a * x + c * y + e, b * x + d * y + f] as const))
  const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)]
  const from = { x: Math.min(...xs), y: Math.min(...ys), width: span(xs), height: span(ys) }
  const [rx1 = 0, ry1 = 0, rx2 = 0, ry2 = 0] = rectangle
  if (from.width === 0 || from.height === 0) return undefined
  const [sx, sy] = [Math.abs(rx2 - rx1) / from.width, Math.abs(ry2 - ry1) / from.height]
  return [sx, 0, 0, sy, Math.min(rx1, rx2) - from.x * sx, Math.min(ry1, ry2) - from.y * sy]
}

const span = (values: readonly number[]) => Math.max(...values) - Math.min(...values)

function numbers(array: unknown, count: number): number[] | undefined {
  if (!(array instanceof PDFArray) || array.size() !== count) return undefined
  const values = array.asArray().map((_, n) => array.lookup(n))
  return values.every((value) => value instanceof PDFNumber) ? values.map((value) => value.asNumber()) : undefined
}
