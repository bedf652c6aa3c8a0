/** A signature inside a PDF (ISO 32000-2, 12.8). */
export interface PdfSignature {
  /** The CMS, DER; `undefined` when its kind is not verified here, or the PDF is inconsistent. */
  readonly cms: Uint8Array | undefined
  /** The signed bytes: the file at the time of signing, without the signature itself. */
  readonly signed: Blob
  /** The ranges of these bytes in the file; the ends are exclusive. */
  readonly ranges: readonly (readonly [from: number, to: number])[]
}

/** Larger files are not searched for signatures. */
export const LARGEST_PDF = 100 * 2 ** 20

const BYTE_RANGE = /\/ByteRange\s*\[\s*(\d+)\s+(\d+)\s+(\d+)\s+(\d+)\s*\]/g
const KIND = /\/SubFilter\s*\/(?:ETSI\.CAdES\.detached|adbe\.pkcs7\.detached)\b/
const DOCUMENT_TIME_STAMP = /\/SubFilter\s*\/ETSI\.RFC3161\b/

/**
 * Finds the signatures in a PDF, in the order of the file. The signed bytes must begin with the file and leave out nothing but
 * the signature: otherwise content could be hidden there.
 */
export function signaturesInPdf(file: Blob, bytes: Uint8Array): PdfSignature[] {
  // One character per byte, so that offsets are the same.
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

/** The CMS in `/Contents`: hexadecimal, padded with zeros. */
function cmsIn(contents: string): Uint8Array | undefined {
  const [, hex] = /^<([0-9A-Fa-f\s]+)>$/.exec(contents) ?? []
  const octets = Uint8Array.from(hex?.replace(/\s/g, '').match(/../g) ?? [], (octet) => Number.parseInt(octet, 16))
  const length = lengthOfDer(octets)
  if (length === undefined || length > octets.length || octets.subarray(length).some((octet) => octet !== 0))
    return undefined
  return octets.subarray(0, length)
}

const SEQUENCE = 0x30

/** Length of the leading DER element. */
function lengthOfDer([tag, first = 0, ...rest]: Uint8Array): number | undefined {
  const octets = first & 0x7f
  if (tag !== SEQUENCE || first <= 0x80 || octets > 4) return undefined
  return 2 + octets + rest.slice(0, octets).reduce((length, octet) => length * 256 + octet, 0)
}
