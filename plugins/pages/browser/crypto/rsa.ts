import { bytesToNumberBE, numberToBytesBE } from '@noble/curves/utils.js'
import { createHash } from './hashes.js'
import type { VerificationKey } from './key.js'
import { power } from './power.js'

/** What stands before the digest in a DigestInfo of DER (RFC 8017, 9.2, notes; RFC 8702, 2.1 for SHA-3). */
const nist = (arc: string, octets: number): string =>
  `30${two(octets + 17)}300d06096086480165030402${arc}050004${two(octets)}`
const two = (value: number): string => value.toString(16).padStart(2, '0')

const DIGEST_INFOS: Readonly<Record<string, string>> = {
  md5: '3020300c06082a864886f70d020505000410',
  sha1: '3021300906052b0e03021a05000414',
  sha224: nist('04', 28),
  sha256: nist('01', 32),
  sha384: nist('02', 48),
  sha512: nist('03', 64),
  'sha3-224': nist('07', 28),
  'sha3-256': nist('08', 32),
  'sha3-384': nist('09', 48),
  'sha3-512': nist('0a', 64),
}
/** 00 01, at least eight FF, and 00 (RFC 8017, 9.2). */
const MIN_PADDING = 11

/** An RSA key (RFC 8017). Its numbers are bounded by the verifier (`rsa-key.ts`): 8192 bits, and 64 of the exponent. */
export function rsaKey(modulus: Uint8Array, exponent: Uint8Array): VerificationKey {
  const n = bytesToNumberBE(modulus)
  const e = bytesToNumberBE(exponent)
  const octets = Math.ceil(n.toString(2).length / 8)
  const recover = (signature: Uint8Array): Uint8Array => {
    const s = bytesToNumberBE(signature)
    if (s >= n) throw new RangeError('data too large for modulus')
    return numberToBytesBE(power(s, e, n), octets)
  }
  return {
    recover,
    verify(digest, data, signature) {
      const expected = encoded(digest, data, octets)
      if (expected === undefined || signature.length !== octets || bytesToNumberBE(signature) >= n) return false
      return recover(signature).every((octet, at) => octet === expected[at])
    },
  }
}

/** EMSA-PKCS1-v1_5 (RFC 8017, 9.2): compared as a whole, so that there is nothing to parse. */
function encoded(digest: string | null, data: Uint8Array, octets: number): Uint8Array | undefined {
  const prefix = DIGEST_INFOS[digest ?? '']
  if (digest === null || prefix === undefined) return undefined
  const info = [
    ...(prefix.match(/../g) ?? []).map((pair) => Number.parseInt(pair, 16)),
    ...createHash(digest).update(data).digest(),
  ]
  if (octets < info.length + MIN_PADDING) return undefined
  const block = new Uint8Array(octets).fill(0xff)
  block.set([0, 1])
  block[octets - info.length - 1] = 0
  block.set(info, octets - info.length)
  return block
}
