import { context, fieldsOf, OBJECT_IDENTIFIER, SEQUENCE } from '../der/fields.js'
import { readSmallInteger } from '../der/integer.js'
import { readOid } from '../der/oid.js'
import { children, type DerElement, DerError } from '../der/reader.js'

/** Policy that stands for any other. */
export const ANY_POLICY = '2.5.29.32.0'

const MAX_POLICIES = 1_000

/** Policies of a certificate, and the types of their qualifiers. */
export interface CertificatePolicies {
  readonly policies: readonly string[]
  readonly qualifiers: ReadonlySet<string>
}

/** Types of qualifiers whose meaning is known: where to read a statement, and a notice for people (RFC 5280 section 4.2.1.4). */
export const knownQualifiers: ReadonlySet<string> = new Set(['1.3.6.1.5.5.7.2.1', '1.3.6.1.5.5.7.2.2'])

/** Reads CertificatePolicies (RFC 5280 section 4.2.1.4): identifiers, each once; of qualifiers their types alone. */
export function readCertificatePolicies(element: DerElement): CertificatePolicies {
  const policies = new Set<string>()
  const qualifiers = new Set<string>()
  for (const information of children(element, MAX_POLICIES)) {
    const fields = fieldsOf(information)
    const oid = readOid(fields.take(OBJECT_IDENTIFIER))
    const qualified = fields.takeIf(SEQUENCE)
    fields.finish()
    for (const qualifier of qualified === undefined ? [] : children(qualified, MAX_POLICIES))
      qualifiers.add(readOid(fieldsOf(qualifier).take(OBJECT_IDENTIFIER)))
    if (policies.has(oid)) throw new DerError('certificate policy is doubled')
    policies.add(oid)
  }
  if (policies.size === 0) throw new DerError('certificate policies are empty')
  return { policies: [...policies], qualifiers }
}

/** A subject domain policy that the issuer holds equal to its own. */
export interface PolicyMapping {
  readonly issuerDomain: string
  readonly subjectDomain: string
}

/** Reads PolicyMappings (RFC 5280 section 4.2.1.5). */
export function readPolicyMappings(element: DerElement): PolicyMapping[] {
  const mappings = children(element, MAX_POLICIES).map((mapping) => {
    const fields = fieldsOf(mapping)
    const issuerDomain = readOid(fields.take(OBJECT_IDENTIFIER))
    const subjectDomain = readOid(fields.take(OBJECT_IDENTIFIER))
    fields.finish()
    return { issuerDomain, subjectDomain }
  })
  if (mappings.length === 0) throw new DerError('policy mappings are empty')
  return mappings
}

/** RFC 5280 section 4.2.1.11: how many certificates may follow before each requirement begins. */
export interface PolicyConstraints {
  readonly requireExplicitPolicy: number | undefined
  readonly inhibitPolicyMapping: number | undefined
}

export function readPolicyConstraints(element: DerElement): PolicyConstraints {
  const fields = fieldsOf(element)
  const explicit = fields.takeIf(context(0))
  const mapping = fields.takeIf(context(1))
  fields.finish()
  if (explicit === undefined && mapping === undefined) throw new DerError('policy constraints are empty')
  return {
    requireExplicitPolicy: explicit && readSmallInteger(explicit, context(0)),
    inhibitPolicyMapping: mapping && readSmallInteger(mapping, context(1)),
  }
}
