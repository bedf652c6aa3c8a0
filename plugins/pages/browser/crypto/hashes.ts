import { md5, sha1 } from '@noble/hashes/legacy.js'
import { sha224, sha256, sha384, sha512 } from '@noble/hashes/sha2.js'
import { sha3_224, sha3_256, sha3_384, sha3_512, shake256 } from '@noble/hashes/sha3.js'
import { Buffer } from './buffer.js'

interface Running {
  update(bytes: Uint8Array): unknown
  digest(): Uint8Array
}

/** Digests by their names in `node:crypto`. */
const HASHES: Readonly<Record<string, (outputLength?: number) => Running>> = {
  md5: () => md5.create(),
  sha1: () => sha1.create(),
  sha224: () => sha224.create(),
  sha256: () => sha256.create(),
  sha384: () => sha384.create(),
  sha512: () => sha512.create(),
  'sha3-224': () => sha3_224.create(),
  'sha3-256': () => sha3_256.create(),
  'sha3-384': () => sha3_384.create(),
  'sha3-512': () => sha3_512.create(),
  shake256: (dkLen = 32) => shake256.create({ dkLen }),
}

const octetsOf = (data: Uint8Array | string): Uint8Array => (typeof data === 'string' ? Buffer.from(data) : data)

type Encoding = 'hex' | 'binary' | 'base64'

/** A running digest of `node:crypto`. */
export class Hash {
  constructor(private readonly running: Running) {}

  update(data: Uint8Array | string): this {
    this.running.update(octetsOf(data))
    return this
  }

  digest(): Buffer
  digest(encoding: Encoding): string
  digest(encoding?: Encoding): Buffer | string {
    const value = Buffer.from(this.running.digest())
    return encoding === undefined ? value : value.toString(encoding)
  }
}

/** `createHash` of `node:crypto`. */
export function createHash(name: string, { outputLength }: { readonly outputLength?: number } = {}): Hash {
  const make = HASHES[name]
  if (make === undefined) throw new TypeError(`Digest method not supported: ${name}`)
  return new Hash(make(outputLength))
}

/** `hash` of `node:crypto`: the digest of data that is there as a whole. */
export function hash(name: string, data: Uint8Array | string, encoding: Encoding | 'buffer' = 'hex'): Buffer | string {
  const made = createHash(name).update(data)
  return encoding === 'buffer' ? made.digest() : made.digest(encoding)
}
