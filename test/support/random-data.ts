import { randomBytes } from 'node:crypto'

const HEAD = Buffer.from('%PDF-')

/** Random bytes to be signed. One in a hundred would begin as JSON does by chance, which may not have characters of zero. */
export function randomData(size: number): Buffer {
  const data = randomBytes(size)
  data.set(HEAD.subarray(0, size))
  return data
}
