import type { ByteRange } from '@signed-registry/core'

/** What a `Range` header asks for (RFC 9110, 14.2): everything, one range, or nothing that there is. */
export type RequestedRange = ByteRange | 'all' | 'unsatisfiable'

/** Reads a `Range` of bytes. Several ranges, other units and malformed ones are answered with everything, as the RFC allows. */
export function requestedRange(header: string | undefined, size: number): RequestedRange {
  const [, first = '', last = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '') ?? []
  if (first === '' && last === '') return 'all'
  if (first === '') {
    const length = Math.min(Number(last), size)
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size }
  }
  const [start, end] = [Number(first), last === '' ? size : Math.min(Number(last) + 1, size)]
  if (last !== '' && Number(last) < start) return 'all'
  return start >= size ? 'unsatisfiable' : { start, end }
}
