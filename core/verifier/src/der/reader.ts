import { RegistryError } from '../error.js'

/**
 * Thrown for bytes that are not DER (X.690) or exceed a limit: `signatureNotParsed` with reason `notDer`. Readers of larger
 * structures convert it to their own error.
 */
export class DerError extends RegistryError {
  constructor(
    explanation: string,
    /** `overLimit`: a limit is exceeded; `notSignedData`: another content type of CMS. */
    { cause, reason = 'notDer' }: { cause?: unknown; reason?: 'notDer' | 'overLimit' | 'notSignedData' } = {},
  ) {
    super('signatureNotParsed', { kind: 'invalid', message: explanation }, { details: { reason, explanation }, cause })
  }
}

/** The error for an exceeded limit. */
export const overLimit = (explanation: string): DerError => new DerError(explanation, { reason: 'overLimit' })

/** Whether an error means that bytes are not DER or not the expected structure. */
export const isNotDer = (error: unknown): error is RegistryError => error instanceof DerError

/** A DER element: a view of the source bytes, nothing is copied. */
export interface DerElement {
  /** Identifier octet: class, constructed bit and tag number below 31. */
  readonly tag: number
  readonly source: Uint8Array
  /** Offset of the identifier octet. */
  readonly start: number
  /** Offset of the first content octet. */
  readonly content: number
  /** Offset after the last content octet. */
  readonly end: number
}

const MAX_LENGTH_OCTETS = 4

/** The octet at an offset; throws DerError behind the end. */
export function octetAt(octets: Uint8Array, offset: number): number {
  const octet = octets[offset]
  if (octet === undefined) throw new DerError('element is cut off')
  return octet
}

/** Reads the element at `offset`, which must end at or before `limit`. Definite, minimal lengths and low tag numbers only. */
export function readElement(source: Uint8Array, offset = 0, limit = source.length): DerElement {
  if (offset + 2 > limit) throw new DerError('element is cut off')
  const tag = octetAt(source, offset)
  if ((tag & 0x1f) === 0x1f) throw new DerError('high tag numbers are not used here')
  let content = offset + 2
  let length = octetAt(source, offset + 1)
  if (length >= 0x80) {
    const octets = length & 0x7f
    if (octets === 0) throw new DerError('indefinite length is BER')
    if (octets > MAX_LENGTH_OCTETS) throw new DerError('length is absurd')
    if (content + octets > limit) throw new DerError('length is cut off')
    length = 0
    for (let i = 0; i < octets; i += 1) length = length * 256 + octetAt(source, content + i)
    if (length < 0x80 || length < 2 ** (8 * (octets - 1))) throw new DerError('length is not minimal')
    content += octets
  }
  if (content + length > limit) throw new DerError('content is cut off')
  return { tag, source, start: offset, content, end: content + length }
}

/** Reads a buffer as one element; trailing bytes are refused. */
export function readDer(source: Uint8Array): DerElement {
  const element = readElement(source)
  if (element.end !== source.length) throw new DerError('trailing bytes')
  return element
}

/** Reads the contents of a primitive element as one element; trailing bytes are refused. */
export function readInside({ source, content, end }: DerElement): DerElement {
  const element = readElement(source, content, end)
  if (element.end !== end) throw new DerError('trailing bytes')
  return element
}

/** The elements inside a constructed one, in order. */
export function children(element: DerElement, limit = 10_000): DerElement[] {
  if ((element.tag & 0x20) === 0) throw new DerError('element is not constructed')
  const found: DerElement[] = []
  for (let offset = element.content; offset < element.end; ) {
    if (found.length >= limit) throw overLimit('too many elements')
    const child = readElement(element.source, offset, element.end)
    found.push(child)
    offset = child.end
  }
  return found
}

/** The encoding, identifier and length octets included. */
export const encoded = (element: DerElement): Uint8Array => element.source.subarray(element.start, element.end)

/** The content octets. */
export const contents = (element: DerElement): Uint8Array => element.source.subarray(element.content, element.end)
