import { randomBytes } from 'node:crypto'
import type { ArchiveStore } from '@signed-registry/core'
import { archiveStoreContract } from '@signed-registry/core/contracts'
import { expect } from 'chai'
import { EncryptedStore } from '#core/originals/encryption.js'
import { hold } from '../../support/hold.js'
import { MemoryStore } from '../../support/memory-store.js'
import { bytesIn, chunksOf, newKey } from '../../support/objects.js'

const MIB = 1024 * 1024
const HEADER = 128
const [first, second] = [
  { name: 'first', key: randomBytes(32) },
  { name: 'second', key: randomBytes(32) },
]

describe('the encryption of an archive store', () => {
  const kept = new EncryptedStore(new MemoryStore(), [first])
  hold(archiveStoreContract({ open: () => kept }))

  describe('of what is kept', () => {
    const below = new MemoryStore()
    const bytes = Buffer.concat([Buffer.alloc(MIB, 'a'), Buffer.alloc(MIB, 'a'), Buffer.alloc(100, 'b')])
    const key = newKey()
    const store = new EncryptedStore(below, [first])

    beforeEach(async () => {
      await store.put(key, chunksOf(bytes), bytes.length)
    })
    const refused = async (reader: ArchiveStore, from = key, range?: { start: number; end: number }) => {
      try {
        const read = await bytesIn(reader, from, range)
        expect.fail(`${read?.length} bytes were given`)
      } catch (error) {
        if (error instanceof Error && error.name === 'AssertionError') throw error
      }
    }
    const changed = (change: (sealed: Buffer) => Buffer) => {
      below.set(key, change(Buffer.from(below.at(key))))
    }

    it('reveals nothing of it, and the same bytes look different each time', async () => {
      const sealed = below.at(key)
      expect(sealed.includes('aaaaaaaa')).to.equal(false)
      const other = newKey()
      await store.put(other, chunksOf(bytes), bytes.length)
      expect(below.at(other).subarray(HEADER, HEADER + 64)).to.not.deep.equal(sealed.subarray(HEADER, HEADER + 64))
    })

    it('detects a flipped bit anywhere before it gives out the byte', async () => {
      const { length } = below.at(key)
      const places = [
        0,
        7,
        8,
        13,
        40,
        51,
        52,
        83,
        84,
        99,
        HEADER,
        HEADER + MIB,
        HEADER + MIB + 15,
        length - 17,
        length - 1,
      ]
      for (const place of places) {
        await store.put(key, chunksOf(bytes), bytes.length)
        changed((sealed) => {
          sealed.writeUInt8(sealed.readUInt8(place) ^ 0x10, place)
          return sealed
        })
        await refused(store)
      }
    })

    it('detects that the object was truncated, extended or replaced by another', async () => {
      for (const cut of [1, 116, 117, MIB + 16, 2 * MIB]) {
        await store.put(key, chunksOf(bytes), bytes.length)
        changed((sealed) => sealed.subarray(0, sealed.length - cut))
        await refused(store)
      }
      await store.put(key, chunksOf(bytes), bytes.length)
      // The last segment taken away: what is left has the size of a whole object.
      changed((sealed) => sealed.subarray(0, HEADER + 2 * (MIB + 16)))
      await refused(store)
      await store.put(key, chunksOf(bytes), bytes.length)
      changed((sealed) => Buffer.concat([sealed, Buffer.alloc(16)]))
      await refused(store)
      const other = newKey()
      await store.put(other, chunksOf(bytes), bytes.length)
      below.set(key, below.at(other))
      await refused(store)
    })

    it('detects swapped segments', async () => {
      changed((sealed) => {
        const [one, two] = [0, 1].map((n) =>
          Buffer.from(sealed.subarray(HEADER + n * (MIB + 16), HEADER + (n + 1) * (MIB + 16))),
        )
        two?.copy(sealed, HEADER)
        one?.copy(sealed, HEADER + MIB + 16)
        return sealed
      })
      await refused(store)
      await refused(store, key, { start: MIB, end: MIB + 1 })
    })

    it('is read with every key that is given, and written with the first', async () => {
      const rotated = new EncryptedStore(below, [second, first])
      expect((await bytesIn(rotated, key))?.equals(bytes)).to.equal(true)
      const later = newKey()
      await rotated.put(later, chunksOf(bytes), bytes.length)
      expect((await bytesIn(new EncryptedStore(below, [second]), later))?.equals(bytes)).to.equal(true)
      await refused(new EncryptedStore(below, [second]))
      await refused(new EncryptedStore(below, [{ name: 'first', key: randomBytes(32) }]))
    })
  })

  it('refuses invalid keys', () => {
    const open = (...keys: { name: string; key: Uint8Array }[]) => new EncryptedStore(new MemoryStore(), keys)
    expect(() => open()).to.throw(TypeError)
    expect(() => open({ name: 'a', key: randomBytes(16) })).to.throw(TypeError, 'a is no 32 bytes')
    expect(() => open({ name: 'a b', key: randomBytes(32) })).to.throw(TypeError)
    expect(() => open(first, first)).to.throw(TypeError, 'Two archive keys have one name')
  })
})
