import { readBitStringBytes } from '../der/bit-string.js'
import { fieldsOf } from '../der/fields.js'
import { DerError, readDer } from '../der/reader.js'
import { signatureErrors } from '../errors.js'
import { Recent } from '../recent.js'
import { type AlgorithmIdentifier, readAlgorithmIdentifier } from './algorithm-identifier.js'
import { dsaKey, isDsaAlgorithm, mayInherit } from './dsa-key.js'
import { ecdsaKey, isEcAlgorithm } from './ecdsa-key.js'
import { gostKey, isGostAlgorithm } from './gost-key.js'
import type { PssParameters } from './pss-parameters.js'
import { isRsaAlgorithm, rsaKey } from './rsa-key.js'
import type { SignatureScheme } from './signature-scheme.js'

/** A public key that was read and checked once. */
export interface PublicKey {
  readonly kind: 'rsa' | 'rsa-pss' | 'ecdsa' | 'dsa' | 'gost2015' | 'gost2004'
  /** Bits of the modulus (RSA), of the field prime (elliptic curves) or of p (DSA). */
  readonly bits: number
  readonly spki: Uint8Array
  readonly algorithm: AlgorithmIdentifier
  /** What an id-RSASSA-PSS key restricts its signatures to; `saltLength` is the least. */
  readonly pss?: PssParameters
  /** Whether the signature is right for the data. The scheme must have been made for this key; never throws. */
  verify(scheme: SignatureScheme, data: Uint8Array, signature: Uint8Array): boolean
}

/** What the readers of each kind of key are given. */
export interface KeyParts {
  readonly spki: Uint8Array
  readonly algorithm: AlgorithmIdentifier
  /** Contents of the BIT STRING. */
  readonly bits: Uint8Array
}

const MAX_SPKI = 8192
const MOST_KEYS = 2000
const keys = new Recent<PublicKey>(MOST_KEYS)

/**
 * The public key of a SubjectPublicKeyInfo (RFC 5280, 4.1.2.7), kept for the next time it is asked for. A DSA key
 * without parameters takes those of `issuer` (RFC 3279, 2.3.2).
 * Throws `signatureAlgorithmNotSupported`, with reason `badKey` when the key is malformed or unusable.
 */
export function publicKey(spki: Uint8Array, issuer?: PublicKey): PublicKey {
  if (spki.length > MAX_SPKI) throw signatureErrors.error('signatureAlgorithmNotSupported', { reason: 'badKey' })
  try {
    return mayInherit(spki) ? read(spki, issuer) : keys.of(spki, read)
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw signatureErrors.error('signatureAlgorithmNotSupported', { reason: 'badKey' }, error)
  }
}

function read(spki: Uint8Array, issuer?: PublicKey): PublicKey {
  const parts = readParts(spki)
  const { oid } = parts.algorithm
  if (isRsaAlgorithm(oid)) return rsaKey(parts)
  if (isEcAlgorithm(oid)) return ecdsaKey(parts)
  if (isDsaAlgorithm(oid)) return dsaKey(parts, issuer)
  if (isGostAlgorithm(oid)) return gostKey(parts)
  throw signatureErrors.error('signatureAlgorithmNotSupported', { reason: 'unknownKey', oid })
}

function readParts(spki: Uint8Array): KeyParts {
  const fields = fieldsOf(readDer(spki))
  const algorithm = readAlgorithmIdentifier(fields.any())
  const bits = readBitStringBytes(fields.any())
  fields.finish()
  return { spki, algorithm, bits }
}
