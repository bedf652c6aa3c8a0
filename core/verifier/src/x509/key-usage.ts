import { readNamedBits } from '../der/bit-string.js'
import { fieldsOf, OBJECT_IDENTIFIER } from '../der/fields.js'
import { readOid } from '../der/oid.js'
import { type DerElement, DerError } from '../der/reader.js'

/** Names of the keyUsage bits (RFC 5280 section 4.2.1.3), in their order. */
export const keyUsageNames = [
  'digitalSignature',
  'nonRepudiation',
  'keyEncipherment',
  'dataEncipherment',
  'keyAgreement',
  'keyCertSign',
  'cRLSign',
  'encipherOnly',
  'decipherOnly',
] as const

export type KeyUsage = (typeof keyUsageNames)[number]

/** Reads KeyUsage; at least one bit is set. */
export function readKeyUsage(element: DerElement): ReadonlySet<KeyUsage> {
  let mask = 0
  for (const bit of readNamedBits(element)) {
    if (bit >= keyUsageNames.length) throw new DerError('key usage is unknown')
    mask |= 1 << bit
  }
  if (mask === 0) throw new DerError('key usage is empty')
  const usages = known[mask] ?? new Set(keyUsageNames.filter((_, bit) => (mask & (1 << bit)) !== 0))
  known[mask] = usages
  return usages
}

/** Each combination once, by its bits: certificates have very few of them. */
const known: ReadonlySet<KeyUsage>[] = []

const MAX_PURPOSES = 200

/** Reads ExtKeyUsageSyntax: object identifiers of the purposes, at least one. */
export function readExtKeyUsage(element: DerElement): string[] {
  const fields = fieldsOf(element)
  const oids: string[] = []
  while (!fields.done) {
    if (oids.length === MAX_PURPOSES) throw new DerError('too many key purposes')
    oids.push(readOid(fields.take(OBJECT_IDENTIFIER)))
  }
  if (oids.length === 0) throw new DerError('extended key usage is empty')
  return oids
}
