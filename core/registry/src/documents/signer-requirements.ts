import { certificationAuthorities } from '../identity/index.js'
import type { SignatureFacts } from '../signatures/index.js'
import type { DocumentSettings } from './schema.js'

/** An element of `signersRequirements`. */
export type SignerRequirement = NonNullable<DocumentSettings['signersRequirements']>[number]

const COMMON_NAME = '2.5.4.3'

/** Whether a signature meets every field of a requirement. */
export function meetsRequirement(facts: SignatureFacts, { iin, bin, authorities, ca }: SignerRequirement): boolean {
  return (
    (iin === undefined || iin === facts.userId) &&
    (bin === undefined || bin === facts.businessId) &&
    (authorities === undefined || authorities.some((oid) => facts.extKeyUsages.includes(oid))) &&
    (ca === undefined || isIssuedBy(facts, ca))
  )
}

function isIssuedBy({ issuerStructure }: SignatureFacts, ca: string): boolean {
  const names = issuerStructure.flat().filter(({ oid }) => oid === COMMON_NAME)
  const known = certificationAuthorities[ca]?.commonNames ?? []
  return names.some(({ value }) => known.some((name) => value.startsWith(name)))
}
