/** The longest hash that documents are fixed with, in bytes. */
const LONGEST = 64

/** A hash that was given in base64; `undefined` for what is none. */
export function digestFrom(text: string): Buffer | undefined {
  const digest = Buffer.from(text, 'base64')
  return digest.length > 0 && digest.length <= LONGEST && digest.toString('base64') === text ? digest : undefined
}
