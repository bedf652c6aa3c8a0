import { readBitStringBytes } from '../der/bit-string.js'
import { fieldsOf } from '../der/fields.js'
import { DerError, readDer } from '../der/reader.js'
import { signatureErrors } from '../errors.js'
import { Recent } from '../recent.js'
import { readAlgorithmIdentifier } from './algorithm-identifier.js'
import { dsaKey, isDsaAlgorithm, mayInherit } from './dsa-key.js'
import { ecdsaKey, isEcAlgorithm } from './ecdsa-key.js'
import { edwardsKey, isEdwardsAlgorithm } from './edwards-key.js'
import { gostKey, isGostAlgorithm } from './gost-key.js'
import type { KeyParts, PublicKey } from './key.js'
import { isRsaAlgorithm, rsaKey } from './rsa-key.js'

const MAX_SPKI = 8192
const MAX_KEYS = 2000
const keys = new Recent<PublicKey>(MAX_KEYS)

/**
 * The public key of a SubjectPublicKeyInfo (RFC 5280, 4.1.2.7), cached. A DSA key without parameters inherits those of `issuer`
 * (RFC 3279, 2.3.2).
 * Throws `signatureAlgorithmNotSupported`, with reason `badKey` when the key is malformed or unusable.
 */
export function publicKey(spki: Uint8Array, issuer?: PublicKey): PublicKey {
  return importing(spki, () => (mayInherit(spki) ? read(spki, issuer) : keys.of(spki, read)))
}

/** As `publicKey`, uncached, for callers that keep the key; the octets must not change. */
export const ownPublicKey = (spki: Uint8Array): PublicKey => importing(spki, () => read(spki))

function importing(spki: Uint8Array, make: () => PublicKey): PublicKey {
  if (spki.length > MAX_SPKI) throw signatureErrors.error('signatureAlgorithmNotSupported', { reason: 'badKey' })
  try {
    return make()
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
  if (isEdwardsAlgorithm(oid)) return edwardsKey(parts)
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
