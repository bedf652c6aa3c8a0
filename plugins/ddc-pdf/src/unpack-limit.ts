import { decodePDFRawStream, PDFContext, PDFDict, PDFName, PDFRawStream } from 'pdf-lib'

let left = Number.POSITIVE_INFINITY

/**
 * Limits the total of decoded stream octets in this process from now on. A few megabytes may unpack to thousands of times as
 * much, and buffers do not count towards the heap limit.
 */
export function limitUnpacking(bytes: number): void {
  left = bytes
}

/** Whether the limit was exceeded; needed since pdf-lib replaces errors thrown inside it by its own. */
export const unpackLimitExceeded = (): boolean => left < 0

/** Patches the class whose doubling buffer holds every decoded stream; pdf-lib does not export it. */
function limitBuffers(): void {
  const dictionary = PDFDict.fromMapWithContext(new Map(), PDFContext.create())
  dictionary.set(PDFName.of('Filter'), PDFName.of('FlateDecode'))
  // The header of a zlib stream (RFC 1950, 2.2).
  const flate = decodePDFRawStream(PDFRawStream.of(dictionary, Uint8Array.of(0x78, 0x9c)))
  const streams: object = Object.getPrototypeOf(Object.getPrototypeOf(flate))
  const grow: unknown = Reflect.get(streams, 'ensureBuffer')
  if (typeof grow !== 'function') throw new Error('The buffers of pdf-lib cannot be bounded')
  const bounded = function (this: { readonly buffer: Uint8Array }, requested: number): unknown {
    const more = requested - this.buffer.length
    if (more > 0) {
      // The buffer at least doubles.
      left -= Math.max(more, this.buffer.length)
      if (left < 0) throw new RangeError('The streams unpack to too much')
    }
    return Reflect.apply(grow, this, [requested])
  }
  Object.defineProperty(streams, 'ensureBuffer', { value: bounded })
}
limitBuffers()
