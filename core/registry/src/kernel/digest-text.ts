/** Bytes of the longest hash that a document may have. */
const MAX_BYTES = 64

/** Decodes a hash in base64; `undefined` if it is none. */
export function digestFrom(text: string): Buffer | undefined {
  const digest = Buffer.from(text, 'base64')
  return digest.length > 0 && digest.length <= MAX_BYTES && digest.toString('base64') === text ? digest : undefined
}
