import { createPublicKey, type KeyObject, verify } from 'node:crypto'
import { BIT_STRING, fieldsOf, SEQUENCE } from '../der/fields.js'
import { DerError, readDer } from '../der/reader.js'
import { writeElement, writeOid } from '../der/writer.js'
import { isAbsentOrNull } from './algorithm-identifier.js'
import type { KeyParts, PublicKey } from './key.js'
import { rawPair, unsignedInteger } from './signature-pair.js'

const DSA = '1.2.840.10040.4.1'
const MAX_OCTETS = 512

export const isDsaAlgorithm = (oid: string): boolean => oid === DSA

const DSA_OID = Buffer.from('06072a8648ce380401', 'hex')

/** Whether a SubjectPublicKeyInfo may be of DSA, which may inherit its parameters from the issuer. */
export const mayInherit = (spki: Uint8Array): boolean => Buffer.from(spki.subarray(0, 24)).includes(DSA_OID)

/**
 * Imports a DSA key (RFC 3279, 2.3.2) of an old certification path; the default policy trusts none. Absent parameters are
 * inherited from the issuer. Throws DerError.
 */
export function dsaKey({ spki, algorithm, bits }: KeyParts, issuer: PublicKey | undefined): PublicKey {
  const inherits = isAbsentOrNull(algorithm.parameters)
  const parameters = inherits
    ? issuer?.kind === 'dsa'
      ? issuer.algorithm.parameters
      : undefined
    : algorithm.parameters
  if (parameters === undefined) throw new DerError('DSA parameters are missing')
  const fields = fieldsOf(readDer(parameters))
  const p = unsignedInteger(fields.any())
  const q = unsignedInteger(fields.any())
  fields.any()
  fields.finish()
  if (p.length > MAX_OCTETS || (q.length !== 20 && q.length !== 28 && q.length !== 32))
    throw new DerError('DSA numbers are not those of a key')
  unsignedInteger(readDer(bits))
  const key = importKey(inherits ? complete(bits, parameters) : spki)
  return {
    kind: 'dsa',
    bits: p.length * 8,
    spki,
    algorithm: { oid: DSA, parameters },
    verify: ({ family, digest, raw }, data, signature) => {
      if (family !== 'dsa' || digest.nodeName === undefined) return false
      const pair = raw === true ? signature : rawPair(signature, q.length)
      if (pair === undefined || pair.length !== 2 * q.length) return false
      return verify(digest.nodeName, data, { key, dsaEncoding: 'ieee-p1363' }, pair)
    },
  }
}

function complete(bits: Uint8Array, parameters: Uint8Array): Uint8Array {
  const algorithm = writeElement(SEQUENCE, writeOid(DSA), parameters)
  return writeElement(SEQUENCE, algorithm, writeElement(BIT_STRING, Uint8Array.of(0), bits))
}

function importKey(spki: Uint8Array): KeyObject {
  try {
    return createPublicKey({ key: Buffer.from(spki), format: 'der', type: 'spki' })
  } catch (error) {
    throw new DerError('not a DSA key', { cause: error })
  }
}
