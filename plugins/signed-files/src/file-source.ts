import { readSync } from 'node:fs'
import type { ByteSource } from '@signed-registry/verifier'

/** Octets that are read at once: small reads, as of objects of a PDF, are served out of the same. */
const AHEAD = 256 * 1024

/** A file that is open, as the verifier reads it. */
export function fileSource(descriptor: number, size: number): ByteSource {
  let start = 0
  let held: Buffer = Buffer.alloc(0)
  const bytes = (from: number, to: number): Buffer => {
    const made = Buffer.alloc(to - from)
    for (let filled = 0; filled < made.length; ) {
      const read = readSync(descriptor, made, filled, made.length - filled, from + filled)
      if (read === 0) throw new Error('A temporary file became shorter')
      filled += read
    }
    return made
  }
  return {
    size,
    read(from, to) {
      if (to - from > AHEAD) return bytes(from, to)
      if (from < start || to > start + held.length) {
        held = bytes(from, Math.min(from + AHEAD, size))
        start = from
      }
      return held.subarray(from - start, to - start)
    },
  }
}
