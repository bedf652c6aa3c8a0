import {
  type ArchiveStore,
  type ByteRange,
  bytes,
  Database,
  type Injected,
  integer,
  isArchiveKey,
  type ListedObject,
  newId,
  type StoredObject,
  table,
  text,
} from '@signed-registry/core'

const objects = table('archive_in_tables_objects', {
  key: text('object_key'),
  writing: text('writing'),
  size: integer('size'),
})
const parts = table('archive_in_tables_parts', {
  writing: text('writing'),
  part: integer('part'),
  bytes: bytes('bytes'),
})
const PART = 1024 * 1024
const PAGE = 1000

/** Keeps originals in the database itself, one MiB per row, so that one backup covers everything; for small amounts. */
export class TableStore implements ArchiveStore {
  static readonly inject = { database: Database }

  constructor(private readonly use: Injected<typeof TableStore.inject>) {}

  /** Parts are written as they arrive. The row of the object is written last: until then nobody can read them. */
  async put(key: string, stream: AsyncIterable<Uint8Array>, size: number): Promise<void> {
    assertKey(key)
    const writing = newId()
    try {
      let [part, taken] = [0, 0]
      for await (const chunk of inParts(stream)) {
        await this.parts().insert(parts.row({ writing, part, bytes: chunk }))
        part += 1
        taken += chunk.length
      }
      if (taken !== size) throw new RangeError(`${size} bytes were announced, and ${taken} came`)
      await this.replace(key, { writing, size })
    } catch (error) {
      await this.parts().where(parts.row({ writing })).delete()
      throw error
    }
  }

  async get(key: string, range?: ByteRange): Promise<StoredObject | undefined> {
    assertKey(key)
    const row = await this.objects().where(objects.row({ key })).first(objects.columns)
    if (row === undefined) return undefined
    const { writing, size } = objects.read(row)
    return { size, bytes: this.read(writing, range?.start ?? 0, Math.min(range?.end ?? size, size)) }
  }

  async delete(key: string): Promise<void> {
    assertKey(key)
    await this.replace(key, undefined)
  }

  async *list(): AsyncIterable<ListedObject> {
    let last = ''
    for (;;) {
      const rows = await this.objects()
        .where('object_key', '>', last)
        .orderBy('object_key')
        .limit(PAGE)
        .select(objects.columns)
      for (const { key, size } of rows.map((row) => objects.read(row))) {
        yield { key, size }
        last = key
      }
      if (rows.length < PAGE) return
    }
  }

  /** In one transaction, so that readers get either the old object or the new one, never a mix. */
  private replace(key: string, next: { writing: string; size: number } | undefined): Promise<void> {
    return this.use.database.transaction(async () => {
      const row = await this.objects().where(objects.row({ key })).first(objects.columns)
      if (row !== undefined) {
        await this.parts()
          .where(parts.row({ writing: objects.read(row).writing }))
          .delete()
        await this.objects().where(objects.row({ key })).delete()
      }
      if (next !== undefined) await this.objects().insert(objects.row({ key, ...next }))
    })
  }

  private async *read(writing: string, start: number, end: number): AsyncIterable<Uint8Array> {
    for (let part = Math.floor(start / PART); part * PART < end; part += 1) {
      const row = await this.parts().where(parts.row({ writing, part })).first(parts.columns)
      if (row === undefined) throw new Error('The object was replaced while it was read')
      const from = part * PART
      yield parts.read(row).bytes.subarray(Math.max(0, start - from), end - from)
    }
  }

  private objects = () => this.use.database.query(objects.name)
  private parts = () => this.use.database.query(parts.name)
}

/** Cuts a stream into parts of a MiB; only the last is shorter. */
async function* inParts(stream: AsyncIterable<Uint8Array>): AsyncIterable<Buffer> {
  let [kept, length]: [Uint8Array[], number] = [[], 0]
  for await (const chunk of stream) {
    kept.push(chunk)
    length += chunk.length
    while (length >= PART) {
      const all = Buffer.concat(kept)
      yield all.subarray(0, PART)
      kept = [all.subarray(PART)]
      length -= PART
    }
  }
  if (length > 0) yield Buffer.concat(kept)
}

function assertKey(key: string): void {
  if (!isArchiveKey(key)) throw new TypeError('That is no key of an object')
}
