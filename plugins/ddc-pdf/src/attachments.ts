import { createHash } from 'node:crypto'
import { deflateSync, inflateSync } from 'node:zlib'
import {
  decodePDFRawStream,
  PDFArray,
  PDFDict,
  type PDFDocument,
  PDFHexString,
  PDFName,
  PDFRawStream,
  type PDFRef,
  PDFString,
} from 'pdf-lib'
import type { AttachedFile } from './job.js'
import { PdfFault } from './open-pdf.js'
import { plain } from './said.js'

const MAX_DEPTH = 16
/** Characters of a file name: many files may refer to one long string. */
const MAX_NAME = 4096

/** Embeds files in the PDF in the given order (ISO 32000-1, 7.11.4; a name tree is sorted by key, so the keys are numbers). */
export function attach(pdf: PDFDocument, files: readonly AttachedFile[], at: Date): void {
  const { context } = pdf
  const specifications: PDFRef[] = files.map(({ name, note, mime, bytes }, n) => {
    // A PDF is compressed already.
    const isPdf = mime === 'application/pdf'
    const stream = context.stream(isPdf ? bytes : deflateSync(bytes, { level: 1 }), {
      ...(!isPdf && { Filter: 'FlateDecode' }),
      Type: 'EmbeddedFile',
      Subtype: mime,
      Params: {
        Size: bytes.length,
        CreationDate: PDFString.fromDate(at),
        ModDate: PDFString.fromDate(at),
        CheckSum: PDFHexString.of(createHash('md5').update(bytes).digest('hex')),
      },
    })
    const file = context.register(stream)
    return context.register(
      context.obj({
        Type: 'Filespec',
        F: PDFString.of(asciiName(name, n)),
        UF: PDFHexString.fromText(name),
        EF: { F: file, UF: file },
        Desc: PDFHexString.fromText(plain(note)),
        AFRelationship: n === 0 ? 'Source' : 'Supplement',
      }),
    )
  })
  const names = specifications.flatMap((ref, n) => [PDFHexString.fromText(String(n).padStart(6, '0')), ref])
  pdf.catalog.set(PDFName.of('Names'), context.obj({ EmbeddedFiles: { Names: names } }))
  pdf.catalog.set(PDFName.of('AF'), context.obj(specifications))
}

/** A file name for readers without Unicode support. */
function asciiName(name: string, n: number): string {
  if (/^[A-Za-z0-9 ._-]+$/.test(name)) return name
  return `${n === 0 ? 'original' : n}${/\.[A-Za-z0-9]{1,8}$/.exec(name)?.[0] ?? ''}`
}

/** Limits on the files that are extracted from a card. */
export interface AttachmentLimits {
  readonly maxFiles: number
  /** Total of all files. */
  readonly maxBytes: number
}

/** The embedded files of the PDF, in the order of its name tree. */
export function readAttachments(pdf: PDFDocument, limits: AttachmentLimits): { name: string; bytes: Uint8Array }[] {
  const names = pdf.catalog.lookup(PDFName.of('Names'))
  const root = names instanceof PDFDict ? names.lookup(PDFName.of('EmbeddedFiles')) : undefined
  if (!(root instanceof PDFDict)) throw new PdfFault('noAttachments')
  const specifications = leaves(root, new Set(), 0)
  if (specifications.length > limits.maxFiles) throw new PdfFault('tooManyAttachments')
  let left = limits.maxBytes
  return specifications.map((specification) => {
    const file = readFile(specification, left)
    left -= file.bytes.length
    return file
  })
}

/** The leaf nodes of a name tree (ISO 32000-1, 7.9.6). A node that is met twice means a cycle. */
function leaves(node: PDFDict, seen: Set<PDFDict>, depth: number): PDFDict[] {
  if (seen.has(node) || depth > MAX_DEPTH) throw new PdfFault('broken', 'The name tree of attachments is a loop')
  seen.add(node)
  const [names, kids] = [node.lookup(PDFName.of('Names')), node.lookup(PDFName.of('Kids'))]
  const own = names instanceof PDFArray ? dictionaries(names, 2) : []
  const below = kids instanceof PDFArray ? dictionaries(kids, 1).flatMap((kid) => leaves(kid, seen, depth + 1)) : []
  return [...own, ...below]
}

/** Every n-th element of an array, which must be a dictionary. */
function dictionaries(array: PDFArray, step: number): PDFDict[] {
  return Array.from({ length: Math.floor(array.size() / step) }, (_, n) => {
    const one = array.lookup(n * step + step - 1)
    if (!(one instanceof PDFDict)) throw new PdfFault('broken', 'The name tree of attachments is malformed')
    return one
  })
}

function readFile(specification: PDFDict, room: number): { name: string; bytes: Uint8Array } {
  const stream = either(specification.lookup(PDFName.of('EF')), 'UF', 'F')
  const name = either(specification, 'UF', 'F')
  if (!(stream instanceof PDFRawStream)) throw new PdfFault('broken', 'An attachment has no content')
  const text = name instanceof PDFString || name instanceof PDFHexString ? name.decodeText() : ''
  if (text.length > MAX_NAME) throw new PdfFault('broken', 'The name of an attachment is too long')
  return {
    name: text,
    bytes: inflate(stream, room),
  }
}

function either(holder: unknown, ...keys: readonly string[]): unknown {
  if (!(holder instanceof PDFDict)) return undefined
  const found = keys.map((key) => holder.lookup(PDFName.of(key)))
  // Cards of the production service have an empty /F.
  return found.find((one) => one !== undefined && !(one instanceof PDFString && one.asString() === '')) ?? found[0]
}

/** The decoded stream, which may not exceed `room` octets. */
function inflate(stream: PDFRawStream, room: number): Uint8Array {
  const filter = stream.dict.lookup(PDFName.of('Filter'))
  const isFlate =
    filter === PDFName.of('FlateDecode') ||
    (filter instanceof PDFArray && filter.size() === 1 && filter.lookup(0) === PDFName.of('FlateDecode'))
  const hasParms = stream.dict.lookup(PDFName.of('DecodeParms')) !== undefined
  let bytes: Uint8Array
  try {
    if (filter === undefined) bytes = stream.contents
    else if (isFlate && !hasParms) bytes = inflateSync(stream.contents, { maxOutputLength: Math.max(room, 1) })
    else bytes = decodePDFRawStream(stream).decode()
  } catch (error) {
    const isTooLong = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE'
    throw new PdfFault(isTooLong ? 'tooLarge' : 'broken', 'An attachment cannot be read')
  }
  if (bytes.length > room) throw new PdfFault('tooLarge')
  return bytes
}
