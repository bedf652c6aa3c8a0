import { contextConstructed, expectTag, fieldsOf, SEQUENCE } from '../der/fields.js'
import { children, type DerElement, DerError, encoded } from '../der/reader.js'
import { signatureErrors } from '../errors.js'
import type { Attributes } from './attributes.js'
import { cmsOids } from './oids.js'

/** Evidence that a signer carries in unsigned attributes (RFC 5126, 6.1.1 and 6.3.4). Nothing of it is checked yet. */
export interface UnsignedEvidence {
  /** TimeStampToken as received. */
  readonly timeStamp: Uint8Array | undefined
  /** Each BasicOCSPResponse as received. */
  readonly ocsp: readonly Uint8Array[]
  /** Types of attributes that are not understood. */
  readonly ignored: readonly string[]
}

const UNDERSTOOD: readonly string[] = [cmsOids.signatureTimeStamp, cmsOids.revocationValues]
const MAX_REVOCATION_VALUES = 32

/**
 * Takes the evidence out of the unsigned attributes: at most one time stamp, and one OCSP answer or `maxAnswers`.
 * Throws `invalidTspTimeStamp` or `invalidOcspData`.
 */
export function readUnsignedEvidence(attributes: Attributes | undefined, maxAnswers: number): UnsignedEvidence {
  if (attributes === undefined) return { timeStamp: undefined, ocsp: [], ignored: [] }
  return {
    timeStamp: readTimeStamp(attributes),
    ocsp: readOcsp(attributes, maxAnswers),
    ignored: attributes.all.map(({ oid }) => oid).filter((oid) => !UNDERSTOOD.includes(oid)),
  }
}

function readTimeStamp(attributes: Attributes): Uint8Array | undefined {
  if (!attributes.has(cmsOids.signatureTimeStamp)) return undefined
  const token = attributes.single(cmsOids.signatureTimeStamp)
  if (token === undefined) throw signatureErrors.error('invalidTspTimeStamp', { reason: 'notExactlyOne' })
  return encoded(token)
}

function readOcsp(attributes: Attributes, most: number): readonly Uint8Array[] {
  if (!attributes.has(cmsOids.revocationValues)) return []
  const values = attributes.single(cmsOids.revocationValues)
  if (values === undefined) throw signatureErrors.error('invalidOcspData', { reason: 'notExactlyOne' })
  try {
    const answers = readOcspValues(values)
    if (answers.length > most) throw signatureErrors.error('invalidOcspData', { reason: 'notExactlyOne' })
    return answers.map(encoded)
  } catch (error) {
    if (error instanceof DerError) throw signatureErrors.error('invalidOcspData', { reason: 'notParsed' }, error)
    throw error
  }
}

/** RevocationValues (RFC 5126, 6.3.4); CRLs and other values are kept, but not looked into. */
function readOcspValues(element: DerElement): readonly DerElement[] {
  const fields = fieldsOf(element)
  fields.explicit(contextConstructed(0))
  const answers = fields.explicit(contextConstructed(1))
  fields.takeIf(contextConstructed(2))
  fields.finish()
  return answers === undefined ? [] : children(expectTag(answers, SEQUENCE), MAX_REVOCATION_VALUES)
}
