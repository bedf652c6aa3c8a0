import { read } from 'node:fs'
import { promisify } from 'node:util'
import type { Spooled } from './spool.js'

const PIECE = 1024 * 1024
const readSome = promisify(read)

/** Octets of a temporary file, a piece at a time. */
export async function* octetsFrom({ descriptor }: Spooled, from: number, to: number): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to; ) {
    const buffer = Buffer.alloc(Math.min(PIECE, to - at))
    const { bytesRead } = await readSome(descriptor, buffer, 0, buffer.length, at)
    if (bytesRead === 0) throw new Error('A temporary file became shorter')
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}
