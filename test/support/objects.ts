import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { ArchiveStore, ByteRange } from '@signed-registry/core'

/** A key as core makes them. */
export const newKey = (): string => randomBytes(16).toString('hex')

/** Bytes as a stream of arbitrary chunks. */
export async function* chunksOf(bytes: Uint8Array, length = 100_003): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

/** What a store gives for a key; `undefined` for nothing. */
export async function bytesIn(store: ArchiveStore, key: string, range?: ByteRange): Promise<Buffer | undefined> {
  const found = await store.get(key, range)
  return found && buffer(found.bytes)
}
