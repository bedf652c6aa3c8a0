/** A PDF with these objects, of which the first is the catalogue. */
export const pdfOf = (...objects: readonly (string | Buffer)[]): Buffer => pdfWith(objects)

/** The same, of any number of them. */
export function pdfWith(objects: readonly (string | Buffer)[]): Buffer {
  const parts: Buffer[] = [Buffer.from('%PDF-1.7\n')]
  const offsets: number[] = []
  let at = parts[0]?.length ?? 0
  objects.forEach((object, n) => {
    offsets.push(at)
    const part = Buffer.concat([Buffer.from(`${n + 1} 0 obj\n`), Buffer.from(object), Buffer.from('\nendobj\n')])
    parts.push(part)
    at += part.length
  })
  const rows = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  parts.push(
    Buffer.from(
      `xref\n0 ${size}\n0000000000 65535 f \n${rows}trailer\n<</Size ${size}/Root 1 0 R>>\nstartxref\n${at}\n%%EOF`,
    ),
  )
  return Buffer.concat(parts)
}

export const stream = (dictionary: string, bytes: Buffer): Buffer =>
  Buffer.concat([Buffer.from(`<<${dictionary}/Length ${bytes.length}>>stream\n`), bytes, Buffer.from('\nendstream')])

export const CATALOG = '<</Type/Catalog/Pages 2 0 R>>'
export const PAGES = '<</Type/Pages/Kids[3 0 R]/Count 1>>'
export const PAGE = '<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]>>'
/** A page that can be shown, and what it shows: four objects with the catalogue and the tree. */
export const SHOWN = [
  CATALOG,
  PAGES,
  PAGE.replace('>>', '/Contents 4 0 R>>'),
  stream('', Buffer.from('0 0 m')),
] as const

/** A PDF that keeps its reader busy for minutes: whatever it takes for the beginning of an object is none. */
export const endlessPdf = (): Buffer => Buffer.concat([pdfOf(...SHOWN), Buffer.alloc(40 * 2 ** 20, 'a')])
