/** A signature inside a PDF (ISO 32000-2, 12.8). */
export interface PdfSignature {
  /** The CMS, DER; `undefined` where it is of a kind that is not judged here, or where the PDF contradicts itself. */
  readonly cms: Uint8Array | undefined
  /** What it is over: all of the file but the signature itself, as it was when it was signed. */
  readonly signed: Blob
  /** Where in the file that is: from, and to but not including. */
  readonly ranges: readonly (readonly [from: number, to: number])[]
}

/** Larger files are not searched: they are taken for documents. */
export const LARGEST_PDF = 100 * 2 ** 20

const BYTE_RANGE = /\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g
const KIND = /\/SubFilter\s*\/(?:ETSI\.CAdES\.detached|adbe\.pkcs7\.detached)\b/
const DOCUMENT_TIME_STAMP = /\/SubFilter\s*\/ETSI\.RFC3161\b/

/**
 * The signatures in a PDF, in the order of the file. What a signature is over must be the file from its first byte on, and
 * leave out the signature alone: otherwise something could hide there.
 */
export function signaturesInPdf(file: Blob, bytes: Uint8Array): PdfSignature[] {
  // One character for each byte, so that positions are the same.
  const text = new TextDecoder('latin1').decode(bytes)
  return [...text.matchAll(BYTE_RANGE)].flatMap((match) => {
    const dictionary = text.slice(text.lastIndexOf('obj', match.index), text.indexOf('endobj', match.index))
    if (DOCUMENT_TIME_STAMP.test(dictionary)) return []
    const [begin = 0, before = 0, after = 0, length = 0] = match.slice(1).map(Number)
    const end = after + length
    const isWhole = begin === 0 && before < after && end <= bytes.length
    const cms = isWhole && KIND.test(dictionary) ? cmsIn(text.slice(before, after)) : undefined
    const signed = new Blob([file.slice(0, before), file.slice(after, end)])
    const ranges = [[0, before] as const, [after, end] as const]
    return [{ cms, signed, ranges }]
  })
}

/** The CMS of `/Contents`: hexadecimal, with zeros behind it up to the room that was kept for it. */
function cmsIn(contents: string): Uint8Array | undefined {
  const [, hex] = /^<([0-9A-Fa-f\s]+)>$/.exec(contents) ?? []
  const octets = Uint8Array.from(hex?.replace(/\s/g, '').match(/../g) ?? [], (octet) => Number.parseInt(octet, 16))
  const length = lengthOfDer(octets)
  if (length === undefined || length > octets.length || octets.subarray(length).some((octet) => octet !== 0))
    return undefined
  return octets.subarray(0, length)
}

const SEQUENCE = 0x30

/** Octets of the DER element at the start. */
function lengthOfDer([tag, first = 0, ...rest]: Uint8Array): number | undefined {
  const octets = first & 0x7f
  if (tag !== SEQUENCE || first <= 0x80 || octets > 4) return undefined
  return 2 + octets + rest.slice(0, octets).reduce((length, octet) => length * 256 + octet, 0)
}
