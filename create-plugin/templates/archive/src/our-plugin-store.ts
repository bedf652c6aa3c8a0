import {
  type ArchiveStore,
  type ByteRange,
  isArchiveKey,
  type ListedObject,
  type StoredObject,
} from '@signed-registry/core'

/** Keeps originals in memory until the host ends: put your store in the place of the map. Quotas, expiry and references are core's. */
export class OurPluginArchive implements ArchiveStore {
  private readonly objects = new Map<string, Buffer>()

  /** Nobody may read an object before all of it was stored. */
  async put(key: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void> {
    assertKey(key)
    const parts: Uint8Array[] = []
    let taken = 0
    for await (const part of bytes) {
      parts.push(Buffer.from(part))
      taken += part.length
    }
    if (taken !== size) throw new RangeError(`${size} bytes were announced, and ${taken} came`)
    this.objects.set(key, Buffer.concat(parts))
  }

  async get(key: string, range?: ByteRange): Promise<StoredObject | undefined> {
    assertKey(key)
    const object = this.objects.get(key)
    if (object === undefined) return undefined
    const bytes = async function* () {
      yield object.subarray(range?.start ?? 0, range?.end ?? object.length)
    }
    return { size: object.length, bytes: bytes() }
  }

  async delete(key: string): Promise<void> {
    assertKey(key)
    this.objects.delete(key)
  }

  async *list(): AsyncIterable<ListedObject> {
    for (const [key, { length: size }] of this.objects) yield { key, size }
  }
}

function assertKey(key: string): void {
  if (!isArchiveKey(key)) throw new TypeError('That is no key of an object')
}
