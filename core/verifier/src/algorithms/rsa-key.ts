import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { fieldsOf } from '../der/fields.js'
import { DerError, octetAt, readDer } from '../der/reader.js'
import { isAbsentOrNull } from './algorithm-identifier.js'
import type { KeyParts, PublicKey } from './key.js'
import { readPssParameters } from './pss-parameters.js'
import { verifyPss } from './rsa-pss.js'
import { unsignedInteger } from './signature-pair.js'

const RSA_ENCRYPTION = '1.2.840.113549.1.1.1'
const RSASSA_PSS = '1.2.840.113549.1.1.10'
const MIN_BITS = 512
const MAX_BITS = 8192
const MAX_EXPONENT_OCTETS = 8

export const isRsaAlgorithm = (oid: string): boolean => oid === RSA_ENCRYPTION || oid === RSASSA_PSS

/** Imports an RSA key (RFC 8017, A.1.1); throws DerError. */
export function rsaKey({ spki, algorithm, bits: der }: KeyParts): PublicKey {
  const fields = fieldsOf(readDer(der))
  const modulus = unsignedInteger(fields.any())
  const exponent = unsignedInteger(fields.any())
  fields.finish()
  const bits = bitLength(modulus)
  if (bits < MIN_BITS || bits > MAX_BITS) throw new DerError('RSA modulus is of absurd size')
  if (isEven(modulus) || isEven(exponent) || exponent.length > MAX_EXPONENT_OCTETS || bitLength(exponent) < 2)
    throw new DerError('RSA numbers are not those of a key')
  // As JWK, so that no second DER parser sees the key and an id-RSASSA-PSS key can be used for the raw RSA operation.
  const key = createPublicKey({ key: { kty: 'RSA', n: base64url(modulus), e: base64url(exponent) }, format: 'jwk' })
  const { oid, parameters } = algorithm
  const pss = oid === RSASSA_PSS && parameters !== undefined ? readPssParameters(parameters) : undefined
  if (oid === RSA_ENCRYPTION && !isAbsentOrNull(parameters)) throw new DerError('rsaEncryption has parameters')
  return {
    kind: oid === RSASSA_PSS ? 'rsa-pss' : 'rsa',
    bits,
    spki,
    algorithm,
    ...(pss === undefined ? {} : { pss }),
    verify: ({ family, digest, pss: parameters }, data, signature) => {
      if (family === 'pkcs1') return verifyPkcs1(key, digest.nodeName, data, signature)
      return family === 'pss' && parameters !== undefined && verifyPss(key, bits, parameters, data, signature)
    },
  }
}

function verifyPkcs1(key: KeyObject, digest: string | undefined, data: Uint8Array, signature: Uint8Array): boolean {
  if (digest === undefined) return false
  return verify(digest, data, key, signature)
}

const isEven = (octets: Uint8Array): boolean => (octetAt(octets, octets.length - 1) & 1) === 0
const bitLength = (octets: Uint8Array): number => octets.length * 8 - Math.clz32(octetAt(octets, 0)) + 24
const base64url = (octets: Uint8Array): string => Buffer.from(octets).toString('base64url')
