import { Buffer } from './buffer.js'
import { uncompressed } from './ecdsa.js'
import type { VerificationKey } from './key.js'
import { createPublicKey as importKey, type KeyInput } from './public-keys.js'

/*
 * What the verifier uses of `node:crypto`, synchronous as there: browsers have only promises. esbuild puts it in for the
 * module (packaging/verifier-in-browsers.mjs). It verifies and never signs.
 */
export { createHash, hash } from './hashes.js'

/** A public key as the verifier handles it. */
export interface KeyObject extends VerificationKey {
  export(): Buffer
}

/** `createPublicKey`: JSON Web Keys of RSA, NIST curves and Edwards curves, SubjectPublicKeyInfo of the others. */
export function createPublicKey(input: KeyInput): KeyObject {
  const key = importKey(input)
  return {
    ...key,
    export() {
      if (key.spki === undefined) throw new TypeError('this key cannot be exported')
      return Buffer.from(key.spki)
    },
  }
}

type AnyKey = KeyObject | { readonly key: KeyObject; readonly dsaEncoding: 'ieee-p1363' }

/** `verify`: of ECDSA and DSA, signatures are r and s next to each other. */
export function verify(digest: string | null, data: Uint8Array, key: AnyKey, signature: Uint8Array): boolean {
  return ('key' in key ? key.key : key).verify(digest, data, signature)
}

/** `publicDecrypt` with RSA_NO_PADDING. */
export function publicDecrypt({ key }: { readonly key: KeyObject }, signature: Uint8Array): Buffer {
  if (key.recover === undefined) throw new TypeError('not an RSA key')
  return Buffer.from(key.recover(signature))
}

export const constants = { RSA_NO_PADDING: 3 } as const

export const ECDH = {
  convertKey: (point: Uint8Array, curve: string): Buffer => Buffer.from(uncompressed(curve, point)),
}

/** Of public values here, so that its time may depend on them. */
export function timingSafeEqual(one: Uint8Array, other: Uint8Array): boolean {
  if (one.length !== other.length) throw new RangeError('Input buffers must have the same byte length')
  return Buffer.compare(one, other) === 0
}

export const getRandomValues = <T extends Uint8Array<ArrayBuffer> | Uint32Array<ArrayBuffer>>(into: T): T =>
  crypto.getRandomValues(into)

export const randomBytes = (length: number): Buffer => Buffer.from(getRandomValues(new Uint8Array(length)))

/** No key that signs ever comes here. */
export function sign(): never {
  throw new TypeError('nothing is signed in browsers')
}
