import { type ArchiveStore, type ByteRange, isArchiveKey, type StoredObject } from '@signed-registry/core'

/** An archive store for tests that can be told to fail, and lets its bytes be changed behind its back. */
export class MemoryStore implements ArchiveStore {
  readonly objects = new Map<string, Buffer>()
  /** What a write rejects with, once it has taken this many bytes. */
  failure: { readonly error: Error; readonly after: number } | undefined

  async put(key: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void> {
    assertKey(key)
    const chunks: Uint8Array[] = []
    let taken = 0
    if (this.failure && this.failure.after === 0) throw this.failure.error
    for await (const chunk of bytes) {
      chunks.push(Buffer.from(chunk))
      taken += chunk.length
      if (this.failure && taken >= this.failure.after) throw this.failure.error
    }
    if (taken !== size) throw new RangeError(`${size} bytes were announced, and ${taken} came`)
    this.objects.set(key, Buffer.concat(chunks))
  }

  async get(key: string, range?: ByteRange): Promise<StoredObject | undefined> {
    assertKey(key)
    const object = this.objects.get(key)
    if (object === undefined) return undefined
    const { start = 0, end = object.length } = range ?? {}
    const part = object.subarray(start, end)
    async function* bytes() {
      for (let at = 0; at < part.length; at += 70_001) yield part.subarray(at, at + 70_001)
    }
    return { size: object.length, bytes: bytes() }
  }

  async delete(key: string): Promise<void> {
    assertKey(key)
    if (this.failure) throw this.failure.error
    this.objects.delete(key)
  }

  async *list() {
    for (const [key, { length: size }] of this.objects) yield { key, size }
  }

  /** The bytes under a key. */
  at(key: string): Buffer {
    return this.objects.get(key) ?? Buffer.alloc(0)
  }

  set(key: string, bytes: Buffer): void {
    this.objects.set(key, Buffer.from(bytes))
  }
}

function assertKey(key: string): void {
  if (!isArchiveKey(key)) throw new TypeError('The key of an object is 32 characters of 0-9 and a-f')
}
