import { contextConstructed, fieldsOf } from '../der/fields.js'
import { readSmallInteger } from '../der/integer.js'
import { type DerElement, DerError, readDer } from '../der/reader.js'
import { readAlgorithmIdentifier, readDigestOid } from './algorithm-identifier.js'
import { type DigestAlgorithm, digestAlgorithm } from './digest.js'

/** RSASSA-PSS-params (RFC 4055, 3.1); `saltLength` in octets. */
export interface PssParameters {
  readonly digest: DigestAlgorithm
  readonly mgfDigest: DigestAlgorithm
  readonly saltLength: number
}

const SHA1 = '1.3.14.3.2.26'
const MGF1 = '1.2.840.113549.1.1.8'
const MAX_SALT = 1024
const DEFAULT_SALT = 20

/** Reads RSASSA-PSS-params; throws DerError or `digestAlgorithmNotSupported`. */
export function readPssParameters(der: Uint8Array): PssParameters {
  const fields = fieldsOf(readDer(der))
  const digest = fields.explicit(contextConstructed(0))
  const maskGeneration = fields.explicit(contextConstructed(1))
  const salt = fields.explicit(contextConstructed(2))
  const trailer = fields.explicit(contextConstructed(3))
  fields.finish()
  const saltLength = salt === undefined ? DEFAULT_SALT : readSmallInteger(salt)
  if (saltLength > MAX_SALT) throw new DerError('PSS salt length is absurd')
  if (trailer !== undefined && readSmallInteger(trailer) !== 1) throw new DerError('PSS trailer field is unknown')
  return {
    digest: digest === undefined ? digestAlgorithm(SHA1) : readDigest(digest),
    mgfDigest: maskGeneration === undefined ? digestAlgorithm(SHA1) : readMaskGeneration(maskGeneration),
    saltLength,
  }
}

function readMaskGeneration(element: DerElement): DigestAlgorithm {
  const { oid, parameters } = readAlgorithmIdentifier(element)
  if (oid !== MGF1 || parameters === undefined) throw new DerError('mask generation function is not MGF1 of a digest')
  return readDigest(readDer(parameters))
}

/** RFC 4055, 2.1: parameters of a digest are NULL or absent, both are to be accepted. */
const readDigest = (element: DerElement): DigestAlgorithm => digestAlgorithm(readDigestOid(element))
