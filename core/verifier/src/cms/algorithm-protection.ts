import { areDigestParameters, readAlgorithmIdentifier } from '../algorithms/algorithm-identifier.js'
import type { DigestAlgorithm } from '../algorithms/digest.js'
import type { PublicKey, SignatureScheme } from '../algorithms/key.js'
import { signatureScheme } from '../algorithms/signature-scheme.js'
import { contextConstructed, fieldsOf, SEQUENCE } from '../der/fields.js'
import { DerError } from '../der/reader.js'
import { RegistryError } from '../error.js'
import { signatureErrors } from '../errors.js'
import type { Attributes } from './attributes.js'
import { cmsOids } from './oids.js'

/** The algorithms that a signer used. */
export interface UsedAlgorithms {
  readonly digest: DigestAlgorithm
  readonly scheme: SignatureScheme
  readonly key: PublicKey
}

/**
 * CMSAlgorithmProtection (RFC 6211), if present, must name the algorithms that were used. They are compared after resolution,
 * since equal parameters may have different encodings. Throws `invalidSignature`.
 */
export function requireProtectedAlgorithms(attributes: Attributes, used: UsedAlgorithms): void {
  if (!attributes.has(cmsOids.algorithmProtection)) return
  try {
    if (namesAlgorithms(attributes, used)) return
  } catch (error) {
    if (!(error instanceof DerError) && !(error instanceof RegistryError)) throw error
    throw refusal('malformed', error)
  }
  throw refusal('differs')
}

/** CMSAlgorithmProtection ::= SEQUENCE { digestAlgorithm, signatureAlgorithm [1], macAlgorithm [2] }, one of the latter two. */
function namesAlgorithms(attributes: Attributes, { digest, scheme, key }: UsedAlgorithms): boolean {
  const value = attributes.single(cmsOids.algorithmProtection)
  if (value === undefined) return false
  const fields = fieldsOf(value)
  const digestAlgorithm = readAlgorithmIdentifier(fields.take(SEQUENCE))
  const signatureAlgorithm = readAlgorithmIdentifier({ ...fields.take(contextConstructed(1)), tag: SEQUENCE })
  fields.finish()
  const isSameDigest = digestAlgorithm.oid === digest.oid && areDigestParameters(digestAlgorithm)
  return isSameDigest && isSameScheme(signatureScheme(signatureAlgorithm, key, digest.oid), scheme)
}

function isSameScheme(a: SignatureScheme, b: SignatureScheme): boolean {
  const isSamePss =
    a.pss?.digest === b.pss?.digest && a.pss?.mgfDigest === b.pss?.mgfDigest && a.pss?.saltLength === b.pss?.saltLength
  return a.oid === b.oid && a.family === b.family && a.digest === b.digest && isSamePss
}

const refusal = (verdict: string, cause?: unknown) =>
  signatureErrors.error('invalidSignature', { reason: 'algorithmProtection', verdict }, cause)
