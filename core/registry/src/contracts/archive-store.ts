import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'
import type { ArchiveStore, ByteRange } from '../originals/index.js'
import type { Clause } from './clause.js'

const MIB = 1024 * 1024

/** The `ArchiveStore` to check against its contract. */
export interface ArchiveStoreUnderTest {
  /** Returns the same store each time, or a new one. */
  open(): ArchiveStore | Promise<ArchiveStore>
  /** Bytes of an original too large for the store's buffers; without it, that clause is left out. */
  readonly large?: number | undefined
}

/** What every `ArchiveStore` promises. */
export function archiveStoreContract({ open: opened, large }: ArchiveStoreUnderTest): readonly Clause[] {
  return [
    {
      title: 'returns what was stored, and its size',
      async check() {
        const store = await opened()
        for (const length of [1, 100_003, MIB - 1, MIB, MIB + 1, 3 * MIB]) {
          const bytes = randomBytes(length)
          const key = await put(store, bytes)
          assert.equal((await store.get(key))?.size, length)
          assertSame(await bytesIn(store, key), bytes)
        }
      },
    },

    {
      title: 'stores an empty original',
      async check() {
        const store = await opened()
        const key = await put(store, Buffer.alloc(0))
        assert.equal((await store.get(key))?.size, 0)
        assertSame(await bytesIn(store, key), Buffer.alloc(0))
        assertSame(await bytesIn(store, key, { start: 0, end: 10 }), Buffer.alloc(0))
      },
    },

    {
      title: 'returns ranges, cut at the end of the original',
      async check() {
        const store = await opened()
        const bytes = randomBytes(2 * MIB + 17)
        const key = await put(store, bytes)
        const ends: [number, number][] = [
          [0, 1],
          [5, 5],
          [MIB - 1, MIB + 1],
          [MIB, 2 * MIB],
          [10, 2 * MIB + 17],
          [2 * MIB + 16, 2 * MIB + 17],
          [2 * MIB, 9 * MIB],
          [2 * MIB + 17, 9 * MIB],
        ]
        for (const [start, end] of ends) {
          const found = await store.get(key, { start, end })
          assert.equal(found?.size, bytes.length)
          assertSame(await bytesIn(store, key, { start, end }), bytes.subarray(start, end), `${start}-${end}`)
        }
      },
    },

    {
      title: 'finds nothing under an unknown key, and deletes it without an error',
      async check() {
        const store = await opened()
        const key = newKey()
        assert.equal(await store.get(key), undefined)
        await store.delete(key)
        assert.ok(!(await listed(store)).has(key), 'a listing shows it')
      },
    },

    {
      title: 'accepts the same bytes twice, and other bytes in their place',
      async check() {
        const store = await opened()
        const bytes = randomBytes(MIB)
        const key = await put(store, bytes)
        await put(store, bytes, key)
        assertSame(await bytesIn(store, key), bytes)
        const other = randomBytes(1000)
        await put(store, other, key)
        assertSame(await bytesIn(store, key), other)
      },
    },

    {
      title: 'shows nothing of an interrupted write, and rejects with its cause',
      async check() {
        const store = await opened()
        for (const length of [10, 3 * MIB]) {
          const key = newKey()
          const error = await rejection(store.put(key, breakingOff(randomBytes(length)), length + 1))
          assert.equal(error.message, 'the sender hung up')
          assert.equal(await store.get(key), undefined)
          assert.ok(!(await listed(store)).has(key), 'a listing shows it')
        }
      },
    },

    {
      title: 'keeps the old bytes when a write in their place is interrupted',
      async check() {
        const store = await opened()
        const bytes = randomBytes(MIB)
        const key = await put(store, bytes)
        await rejection(store.put(key, breakingOff(randomBytes(MIB)), 2 * MIB))
        assertSame(await bytesIn(store, key), bytes)
      },
    },

    {
      title: 'refuses fewer and more bytes than announced',
      async check() {
        const store = await opened()
        for (const announced of [0, 99, 101]) {
          const key = newKey()
          await rejection(store.put(key, chunksOf(randomBytes(100)), announced))
          assert.equal(await store.get(key), undefined)
        }
      },
    },

    {
      title: 'keeps one of several concurrent writes of a key, unmixed',
      async check() {
        const store = await opened()
        const key = newKey()
        const originals = Array.from({ length: 5 }, (_, at) => Buffer.alloc(MIB + at, at))
        await Promise.all(originals.map((bytes) => put(store, bytes, key)))
        const kept = await bytesIn(store, key)
        assert.equal(originals.filter((bytes) => kept?.equals(bytes)).length, 1)
      },
    },

    {
      title: 'deletes permanently',
      async check() {
        const store = await opened()
        const key = await put(store, randomBytes(MIB))
        await store.delete(key)
        assert.equal(await store.get(key), undefined)
        assert.ok(!(await listed(store)).has(key), 'a listing shows it')
        await store.delete(key)
      },
    },

    {
      title: 'lists every object and its size',
      async check() {
        const store = await opened()
        const keys = [
          await put(store, randomBytes(10)),
          await put(store, randomBytes(0)),
          await put(store, randomBytes(MIB)),
        ]
        const sizes = await listed(store)
        assert.deepEqual(
          keys.map((key) => sizes.get(key)),
          [10, 0, MIB],
        )
      },
    },

    {
      title: 'releases an object that is not read to its end',
      async check() {
        const store = await opened()
        const key = await put(store, randomBytes(3 * MIB))
        for (let times = 0; times < 50; times += 1) await store.get(key)
        for await (const chunk of (await store.get(key))?.bytes ?? []) {
          assert.ok(chunk.length > 0)
          break
        }
      },
    },

    {
      title: 'refuses invalid keys',
      async check() {
        const store = await opened()
        for (const key of ['', '..', '../../../etc/passwd', 'A'.repeat(32), `${'a'.repeat(31)}/`]) {
          assert.ok((await rejection((async () => store.get(key))())) instanceof TypeError)
          assert.ok((await rejection((async () => store.put(key, chunksOf(randomBytes(1)), 1))())) instanceof TypeError)
          assert.ok((await rejection((async () => store.delete(key))())) instanceof TypeError)
        }
      },
    },
    ...(large === undefined ? [] : [carriesLarge(opened, large)]),
  ]
}

const carriesLarge = (opened: ArchiveStoreUnderTest['open'], large: number): Clause => ({
  title: `stores an original of ${Math.floor(large / MIB)} MiB`,
  async check() {
    const store = await opened()
    const zeros = Buffer.alloc(MIB)
    async function* sparse() {
      yield Buffer.from('first')
      for (let left = large - 9; left > 0; left -= MIB) yield zeros.subarray(0, Math.min(left, MIB))
      yield Buffer.from('last')
    }
    const key = newKey()
    try {
      await store.put(key, sparse(), large)
      assert.equal((await store.get(key))?.size, large)
      assert.equal(String(await bytesIn(store, key, { start: 0, end: 6 })), 'first\0')
      assert.equal(String(await bytesIn(store, key, { start: large - 5, end: large })), '\0last')
    } finally {
      await store.delete(key)
    }
  },
})

/** A key as core makes them. */
const newKey = (): string => randomBytes(16).toString('hex')

/** Bytes as a stream of arbitrary chunks. */
async function* chunksOf(bytes: Uint8Array, length = 100_003): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
}

/** A stream that fails midway. */
async function* breakingOff(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield* chunksOf(bytes)
  throw new Error('the sender hung up')
}

async function bytesIn(store: ArchiveStore, key: string, range?: ByteRange): Promise<Buffer | undefined> {
  const found = await store.get(key, range)
  return found && buffer(found.bytes)
}

async function put(store: ArchiveStore, bytes: Uint8Array, key = newKey()): Promise<string> {
  await store.put(key, chunksOf(bytes), bytes.length)
  return key
}

async function listed(store: ArchiveStore): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { key, size } of store.list()) sizes.set(key, size)
  return sizes
}

/** Asserts equality without printing megabytes. */
function assertSame(kept: Buffer | undefined, bytes: Uint8Array, which = 'the object'): void {
  assert.ok(kept?.equals(bytes), `${which} comes back as it was given`)
}

async function rejection(promise: Promise<unknown>): Promise<Error> {
  const error = await promise.then(
    () => new Error('nothing was refused'),
    (thrown: unknown) => thrown,
  )
  return error instanceof Error ? error : new Error(String(error))
}
