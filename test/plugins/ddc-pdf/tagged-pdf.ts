import { inflateSync } from 'node:zlib'
import {
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFNumber,
  PDFRawStream,
  PDFRef,
  PDFString,
} from 'pdf-lib'

/** What a page draws, in the order of its content stream. */
export interface Drawn {
  readonly operator: string
  /** The number of the marked content around it; absent in an artifact. */
  readonly mcid: number | undefined
  readonly isArtifact: boolean
}

/** An element of the structure of a PDF. */
export interface Element {
  readonly role: string
  readonly alt: string | undefined
  readonly scope: string | undefined
  readonly kids: readonly Element[]
  /** Marked content: the number of its page and its own. */
  readonly contents: readonly { readonly page: number; readonly mcid: number }[]
  readonly ref: PDFRef
}

export const nameOf = (text: string) => PDFName.of(text)

/** The text of a string of a PDF. */
export const textOfString = (value: unknown): string | undefined =>
  value instanceof PDFString || value instanceof PDFHexString ? value.decodeText() : undefined

/** The unpacked octets of a stream. */
export function unpacked(stream: unknown): Buffer {
  if (!(stream instanceof PDFRawStream)) throw new Error('This is no stream')
  const isPacked = stream.dict.get(nameOf('Filter')) === nameOf('FlateDecode')
  return isPacked ? inflateSync(stream.contents) : Buffer.from(stream.contents)
}

/** The content stream of a page. */
export function contentsOf(pdf: PDFDocument, page: number): string {
  const contents = pdf.getPage(page).node.Contents()
  const streams = contents instanceof PDFArray ? contents.asArray().map((_, n) => contents.lookup(n)) : [contents]
  return streams.map((stream) => unpacked(stream).toString('latin1')).join('\n')
}

/** Operators that show something (ISO 32000-1, table 51). */
const SHOWING = new Set(['Tj', 'TJ', "'", '"', 'Do', 'f', 'f*', 'F', 'S', 's', 'B', 'B*', 'b', 'b*', 'sh', 'EI'])

/** Reads what a page draws. Throws where marked content is not balanced or stands in other marked content than a span. */
export function drawnOn(pdf: PDFDocument, page: number): Drawn[] {
  const text = contentsOf(pdf, page)
  const open: { readonly tag: string; readonly mcid: number | undefined }[] = []
  const drawn: Drawn[] = []
  let operands: string[] = []
  for (const [token] of text.matchAll(/<<.*?>>|<[0-9A-Fa-f\s]*>|\((?:\\.|[^\\)])*\)|\[[^\]]*\]|[^\s<([\]]+/gs)) {
    if (/^[<([/\d.+-]/.test(token)) operands.push(token)
    else {
      if (token === 'BDC' || token === 'BMC') {
        const [tag = '', properties = ''] = operands
        if (open.length > 0 && tag !== '/Span') throw new Error(`${tag} stands in ${open.at(-1)?.tag}`)
        const [, mcid] = /\/MCID (\d+)/.exec(properties) ?? []
        open.push({ tag, mcid: mcid === undefined ? undefined : Number(mcid) })
      } else if (token === 'EMC') {
        if (open.pop() === undefined) throw new Error('Marked content ends that did not begin')
      } else if (SHOWING.has(token)) {
        const [around] = open
        drawn.push({ operator: token, mcid: around?.mcid, isArtifact: around?.tag === '/Artifact' })
      }
      operands = []
    }
  }
  if (open.length > 0) throw new Error('Marked content does not end')
  return drawn
}

/** Reads the structure of a PDF from its root. Throws where an element does not name its parent. */
export function structureOf(pdf: PDFDocument): Element {
  const root = pdf.catalog.lookup(nameOf('StructTreeRoot'), PDFDict)
  const kids = root.lookup(nameOf('K'), PDFArray)
  const ref = pdf.catalog.get(nameOf('StructTreeRoot'))
  const first = kids.get(0)
  if (!(ref instanceof PDFRef) || !(first instanceof PDFRef) || kids.size() !== 1) throw new Error('There is no root')
  return elementAt(pdf, first, ref)
}

function elementAt(pdf: PDFDocument, ref: PDFRef, parent: PDFRef): Element {
  const dict = pdf.context.lookup(ref, PDFDict)
  if (dict.get(nameOf('P')) !== parent) throw new Error(`${ref} does not name its parent`)
  const pages = pdf.getPages().map((page) => page.ref.tag)
  const pageOf = (holder: PDFDict) => pages.indexOf(String(holder.get(nameOf('Pg'))))
  const kids: Element[] = []
  const contents: { page: number; mcid: number }[] = []
  for (const kid of dict.lookup(nameOf('K'), PDFArray).asArray()) {
    if (kid instanceof PDFRef) kids.push(elementAt(pdf, kid, ref))
    else if (kid instanceof PDFNumber) contents.push({ page: pageOf(dict), mcid: kid.asNumber() })
    else if (kid instanceof PDFDict) {
      contents.push({ page: pageOf(kid), mcid: kid.lookup(nameOf('MCID'), PDFNumber).asNumber() })
    }
  }
  const attributes = dict.lookup(nameOf('A'))
  return {
    role: dict.lookup(nameOf('S'), PDFName).decodeText(),
    alt: textOfString(dict.lookup(nameOf('Alt'))),
    scope: attributes instanceof PDFDict ? String(attributes.get(nameOf('Scope'))) : undefined,
    kids,
    contents,
    ref,
  }
}

/** An element and all inside it, in the order of reading. */
export const withAllInside = (element: Element): Element[] => [element, ...element.kids.flatMap(withAllInside)]
