import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { definePlugin } from '../kernel/plugin.js'
import { watch } from '../kernel/service.js'
import { ArchiveStore, type ByteRange, type ListedObject, type StoredObject } from './ports.js'
import { piecesOf, SEGMENT, segmentsOf } from './segments.js'

/** A key that wraps the data keys of objects. */
export interface ArchiveKey {
  /** Stored in every object that it wraps: 1 to 32 characters of `[A-Za-z0-9_-]`. */
  readonly name: string
  /** 32 bytes. */
  readonly key: Uint8Array
}

/**
 * An object begins with a header of 128 bytes: `REGARC1` and a zero byte; the name of the wrapping key, padded with zero bytes to
 * 32; a nonce of 12 bytes, the wrapped data key of 32 bytes and its tag of 16 (AES-256-GCM, authenticating the key of the
 * object and all of the header before the nonce); zero bytes. Segments of 1 MiB follow, the last one shorter, each with its
 * tag of 16 bytes: AES-256-GCM under the data key, the nonce being the number of the segment, and one more bit in the last
 * one. An empty object has one empty segment.
 */
const HEADER = 128
const MAGIC = Buffer.from('REGARC1\0', 'latin1')
const NAME = 32
const NONCE = 12
const DATA_KEY = 32
const TAG = 16
const WRAPPED_AT = MAGIC.length + NAME
const SEALED_SEGMENT = SEGMENT + TAG
const KEY_NAME = /^[A-Za-z0-9_-]{1,32}$/

/** Encrypts the objects of another store (AES-256-GCM). The first key wraps new objects; all keys unwrap old ones. */
export class EncryptedStore implements ArchiveStore {
  private readonly keys: ReadonlyMap<string, Uint8Array>
  private readonly current: ArchiveKey

  /** Throws a `TypeError` for an empty list, duplicate names or malformed keys. */
  constructor(
    private readonly store: ArchiveStore,
    keys: readonly ArchiveKey[],
  ) {
    const [current] = keys
    if (current === undefined) throw new TypeError('Encryption needs a key')
    for (const { name, key } of keys) {
      if (!KEY_NAME.test(name) || key.length !== DATA_KEY)
        throw new TypeError(`The archive key ${name} is no 32 bytes under a name of 1 to 32 letters and digits`)
    }
    this.current = current
    this.keys = new Map(keys.map(({ name, key }) => [name, key]))
    if (this.keys.size < keys.length) throw new TypeError('Two archive keys have one name')
  }

  put(key: string, bytes: AsyncIterable<Uint8Array>, size: number): Promise<void> {
    return this.store.put(key, this.seal(key, bytes, size), sealedSize(size))
  }

  async get(key: string, range?: ByteRange): Promise<StoredObject | undefined> {
    const head = await this.store.get(key, { start: 0, end: HEADER })
    if (head === undefined) return undefined
    const dataKey = this.unwrap(key, await readAll(head.bytes))
    const size = openedSize(head.size)
    const { start, end } = inside(range, size)
    return { size, bytes: this.open(key, dataKey, size, { start, end }) }
  }

  delete(key: string): Promise<void> {
    return this.store.delete(key)
  }

  async *list(): AsyncGenerator<ListedObject> {
    for await (const { key, size } of this.store.list()) yield { key, size: Math.max(0, openedSize(size, true)) }
  }

  private async *seal(key: string, bytes: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Uint8Array> {
    const dataKey = randomBytes(DATA_KEY)
    yield this.wrap(key, dataKey)
    const last = lastSegment(size)
    let number = 0
    for await (const piece of piecesOf(bytes, SEGMENT)) {
      yield* seal(dataKey, number, number === last, piece)
      number += 1
    }
    if (number === 0) yield* seal(dataKey, 0, true, Buffer.alloc(0))
  }

  private async *open(key: string, dataKey: Uint8Array, size: number, range: ByteRange): AsyncGenerator<Uint8Array> {
    if (range.start >= range.end && size > 0) return
    const last = lastSegment(size)
    const { first, end } = size === 0 ? { first: 0, end: 1 } : segmentsOf(range)
    const stored = await this.store.get(key, {
      start: HEADER + first * SEALED_SEGMENT,
      end: Math.min(HEADER + end * SEALED_SEGMENT, sealedSize(size)),
    })
    if (stored === undefined) throw new Error('The object was removed while it was read')
    let number = first
    for await (const piece of piecesOf(stored.bytes, SEALED_SEGMENT)) {
      if (number >= end) throw new Error('The object is longer than it was')
      const opened = open(dataKey, number, number === last, piece)
      const at = number * SEGMENT
      yield opened.subarray(Math.max(0, range.start - at), Math.min(opened.length, range.end - at))
      number += 1
    }
    if (number < end) throw new Error('The object is cut')
  }

  private wrap(key: string, dataKey: Uint8Array): Uint8Array {
    const header = Buffer.alloc(HEADER)
    MAGIC.copy(header)
    header.write(this.current.name, MAGIC.length, 'latin1')
    const nonce = randomBytes(NONCE)
    const cipher = createCipheriv('aes-256-gcm', this.current.key, nonce)
    cipher.setAAD(Buffer.concat([Buffer.from(key), header.subarray(0, WRAPPED_AT)]))
    const wrapped = Buffer.concat([cipher.update(dataKey), cipher.final()])
    Buffer.concat([nonce, wrapped, cipher.getAuthTag()]).copy(header, WRAPPED_AT)
    return header
  }

  private unwrap(key: string, header: Buffer): Uint8Array {
    if (header.length !== HEADER || !header.subarray(0, MAGIC.length).equals(MAGIC)) {
      throw new Error('The object is not encrypted by this registry')
    }
    const name = header.toString('latin1', MAGIC.length, WRAPPED_AT).replace(/\0+$/, '')
    const wrapping = this.keys.get(name)
    if (wrapping === undefined) throw new Error(`There is no archive key ${JSON.stringify(name)}`)
    const wrappedAt = WRAPPED_AT + NONCE
    const tagAt = wrappedAt + DATA_KEY
    const decipher = createDecipheriv('aes-256-gcm', wrapping, header.subarray(WRAPPED_AT, wrappedAt), {
      authTagLength: TAG,
    })
    decipher.setAAD(Buffer.concat([Buffer.from(key), header.subarray(0, WRAPPED_AT)]))
    decipher.setAuthTag(header.subarray(tagAt, tagAt + TAG))
    return Buffer.concat([decipher.update(header.subarray(wrappedAt, tagAt)), decipher.final()])
  }
}

/** A data key encrypts a single object, so the segment number is a unique nonce. */
function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(NONCE)
  nonce.writeUInt8(isLast ? 1 : 0)
  nonce.writeUInt32BE(number, NONCE - 4)
  return nonce
}

function* seal(key: Uint8Array, number: number, isLast: boolean, piece: Uint8Array): Generator<Uint8Array> {
  const cipher = createCipheriv('aes-256-gcm', key, nonceOf(number, isLast))
  yield cipher.update(piece)
  cipher.final()
  yield cipher.getAuthTag()
}

/** Throws for a segment that is not the one that was sealed. */
function open(key: Uint8Array, number: number, isLast: boolean, sealed: Uint8Array): Buffer {
  const decipher = createDecipheriv('aes-256-gcm', key, nonceOf(number, isLast), { authTagLength: TAG })
  const end = Math.max(0, sealed.length - TAG)
  decipher.setAuthTag(sealed.subarray(end))
  const opened = decipher.update(sealed.subarray(0, end))
  decipher.final()
  return opened
}

const lastSegment = (size: number): number => Math.max(0, Math.ceil(size / SEGMENT) - 1)

const sealedSize = (size: number): number => HEADER + size + (lastSegment(size) + 1) * TAG

/** Size of an object's plaintext. Throws for a size that no object can have, unless `lenient`. */
function openedSize(sealed: number, lenient = false): number {
  const segments = Math.max(1, Math.ceil((sealed - HEADER) / SEALED_SEGMENT))
  const size = sealed - HEADER - segments * TAG
  if (!lenient && (size < 0 || sealedSize(size) !== sealed)) throw new Error('The object is cut')
  return size
}

/** The part of a range inside an object of this size. */
export function inside(range: ByteRange | undefined, size: number): ByteRange {
  const { start = 0, end = size } = range ?? {}
  return { start: Math.min(start, size), end: Math.max(Math.min(start, size), Math.min(end, size)) }
}

async function readAll(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of bytes) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const Key = Type.Object({
  name: Type.String(),
  key: Type.Refine(Type.Unsafe<Uint8Array>({}), (value) => value instanceof Uint8Array),
})
/** Options of `archiveEncryption`. */
export const ArchiveEncryptionOptions = Type.Object(
  { keys: Type.Array(Key, { minItems: 1, description: '32 bytes each; the first wraps what is stored from now on' }) },
  { additionalProperties: false },
)
export type ArchiveEncryptionOptions = Static<typeof ArchiveEncryptionOptions>

/** Plugin: encrypts the archive store of another plugin. */
export const archiveEncryption = definePlugin({
  name: 'archive-encryption',
  options: ArchiveEncryptionOptions,
  parts: ({ keys }) => ({
    watches: [watch(ArchiveStore, (store) => store && new EncryptedStore(store, keys))],
  }),
})
