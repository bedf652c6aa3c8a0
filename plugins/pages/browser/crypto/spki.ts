/** A DER element: its tag and content. */
interface DerPart {
  readonly tag: number
  readonly content: Uint8Array
}

/** The parts of a SubjectPublicKeyInfo (RFC 5280, 4.1.2.7). */
export interface Spki {
  /** OID of the algorithm, its content octets in hexadecimal. */
  readonly algorithm: string
  readonly parameters: DerPart | undefined
  /** The key itself: the BIT STRING without its count of unused bits. */
  readonly key: Uint8Array
}

/** Reads a SubjectPublicKeyInfo that the verifier has written, or read strictly before. */
export function readSpki(der: Uint8Array): Spki {
  const [whole] = derParts(der)
  const [identifier, bits] = derParts(whole?.content)
  const [oid, parameters] = derParts(identifier?.content)
  if (oid === undefined || bits === undefined) throw new TypeError('not a public key')
  return { algorithm: hex(oid.content), parameters, key: bits.content.subarray(1) }
}

/** Elements one after the other. */
export function derParts(der: Uint8Array = new Uint8Array()): DerPart[] {
  const parts: DerPart[] = []
  for (let at = 0; at < der.length; ) {
    const [tag = 0, first = 0] = der.subarray(at)
    const lengthOctets = first < 0x80 ? 0 : first & 0x7f
    const start = at + 2 + lengthOctets
    const length = lengthOctets === 0 ? first : Number(`0x${hex(der.subarray(at + 2, start))}`)
    if (!Number.isSafeInteger(length) || start + length > der.length) throw new TypeError('not a public key')
    parts.push({ tag, content: der.subarray(start, start + length) })
    at = start + length
  }
  return parts
}

export const hex = (bytes: Uint8Array): string => [...bytes].map((one) => one.toString(16).padStart(2, '0')).join('')
