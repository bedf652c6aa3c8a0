import { constants, type KeyObject, publicDecrypt, timingSafeEqual } from 'node:crypto'
import { octetAt } from '../der/reader.js'
import type { DigestAlgorithm } from './digest.js'
import type { PssParameters } from './pss-parameters.js'

const TRAILER = 0xbc
const PADDING = new Uint8Array(8)

/**
 * RSASSA-PSS-VERIFY (RFC 8017, 8.1.2). EMSA-PSS is implemented here because `crypto.verify` cannot use an MGF1 digest other than
 * the message digest.
 */
export function verifyPss(
  key: KeyObject,
  bits: number,
  parameters: PssParameters,
  data: Uint8Array,
  signature: Uint8Array,
): boolean {
  if (signature.length !== Math.ceil(bits / 8)) return false
  const message = rawRsa(key, signature)
  if (message === undefined) return false
  const emBits = bits - 1
  const emLength = Math.ceil(emBits / 8)
  // For a modulus of 8k+1 bits the encoded message is one octet shorter than the modulus.
  if (message.length !== emLength && message[0] !== 0) return false
  return verifyEncoding(message.subarray(message.length - emLength), emBits, parameters, data)
}

function rawRsa(key: KeyObject, signature: Uint8Array): Buffer | undefined {
  try {
    return publicDecrypt({ key, padding: constants.RSA_NO_PADDING }, signature)
  } catch {
    return undefined // not below the modulus
  }
}

/** EMSA-PSS-VERIFY (RFC 8017, 9.1.2). */
function verifyEncoding(em: Uint8Array, emBits: number, parameters: PssParameters, data: Uint8Array): boolean {
  const { digest, mgfDigest, saltLength } = parameters
  const hashLength = digest.length
  if (em.length < hashLength + saltLength + 2 || em[em.length - 1] !== TRAILER) return false
  const blockLength = em.length - hashLength - 1
  const hash = em.subarray(blockLength, em.length - 1)
  const unusedBits = 0xff & ~(0xff >> (8 * em.length - emBits))
  if ((octetAt(em, 0) & unusedBits) !== 0) return false
  const block = maskGeneration(mgfDigest, hash, blockLength).map((octet, i) => octet ^ octetAt(em, i))
  block[0] = octetAt(block, 0) & ~unusedBits
  const saltStart = blockLength - saltLength
  for (let i = 0; i < saltStart - 1; i += 1) if (block[i] !== 0) return false
  if (block[saltStart - 1] !== 1) return false
  const messageHash = digest.create().update(data).digest()
  const expected = digest.create().update(PADDING).update(messageHash).update(block.subarray(saltStart)).digest()
  return timingSafeEqual(hash, expected)
}

/** MGF1 (RFC 8017, B.2.1). */
function maskGeneration(digest: DigestAlgorithm, seed: Uint8Array, length: number): Uint8Array {
  const mask = new Uint8Array(Math.ceil(length / digest.length) * digest.length)
  const counter = Buffer.alloc(4)
  for (let offset = 0, i = 0; offset < length; offset += digest.length, i += 1) {
    counter.writeUInt32BE(i)
    mask.set(digest.create().update(seed).update(counter).digest(), offset)
  }
  return mask.subarray(0, length)
}
