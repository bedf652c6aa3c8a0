import { decodePDFRawStream, PDFContext, PDFDict, PDFName, PDFRawStream } from 'pdf-lib'

let left = Number.POSITIVE_INFINITY

/**
 * From now on the streams of PDFs unpack to so many octets in all, in this thread; what would need more is refused. A few
 * megabytes may unpack to thousands of times as much, and buffers are no part of the heap that a thread is bounded to.
 */
export function unpackAtMost(bytes: number): void {
  left = bytes
}

/** True when that was too little. pdf-lib turns what is thrown inside of it into errors of its own. */
export const unpackedTooMuch = (): boolean => left < 0

/** pdf-lib unpacks every stream into a buffer that doubles; the class that does is not among its exports. */
function boundBuffers(): void {
  const dictionary = PDFDict.fromMapWithContext(new Map(), PDFContext.create())
  dictionary.set(PDFName.of('Filter'), PDFName.of('FlateDecode'))
  // The two octets that every zlib stream begins with (RFC 1950, 2.2).
  const flate = decodePDFRawStream(PDFRawStream.of(dictionary, Uint8Array.of(0x78, 0x9c)))
  const streams: object = Object.getPrototypeOf(Object.getPrototypeOf(flate))
  const grow: unknown = Reflect.get(streams, 'ensureBuffer')
  if (typeof grow !== 'function') throw new Error('The buffers of pdf-lib cannot be bounded')
  const bounded = function (this: { readonly buffer: Uint8Array }, requested: number): unknown {
    const more = requested - this.buffer.length
    if (more > 0) {
      // What is asked for is at least doubled.
      left -= Math.max(more, this.buffer.length)
      if (left < 0) throw new RangeError('The streams unpack to too much')
    }
    return Reflect.apply(grow, this, [requested])
  }
  Object.defineProperty(streams, 'ensureBuffer', { value: bounded })
}
boundBuffers()
