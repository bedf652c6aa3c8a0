import { readDigestOid } from '../../algorithms/algorithm-identifier.js'
import { digest } from '../../algorithms/digest.js'
import { expectTag, fieldsOf, OCTET_STRING, SEQUENCE } from '../../der/fields.js'
import { children, contents, type DerElement, encoded } from '../../der/reader.js'
import { timeStampRefusal } from '../../evidence-refusal.js'
import type { SignedData } from '../signed-data.js'
import type { ArchivedPart } from './archived-parts.js'

/** Unsigned attributes of an archive time stamp with hashes of what it covers. */
const V3 = '0.4.0.19122.1.5'
const V1 = '0.4.0.1733.2.5'
const SHA_256 = '2.16.840.1.101.3.4.2.1'

/** The hashes of the unsigned parts of a signature that an archive time stamp covers. */
export interface HashIndex {
  readonly der: Uint8Array
  readonly digestOid: string
  /** Whether a hash is over one value of an attribute with its type, or over the whole attribute. */
  readonly isByValue: boolean
  readonly hashes: Readonly<Record<ArchivedPart['field'], readonly Uint8Array[]>>
}

/**
 * Reads the one ats-hash-index-v3 (EN 319 122-1, 5.5.2) or ats-hash-index (TS 101 733, 6.4.2) of a token; throws
 * `invalidTspTimeStamp` with `hashIndexMissing` or `hashIndexDoubled`, and DerError.
 */
export function readHashIndex({ signerInfos }: SignedData): HashIndex {
  const found = signerInfos.flatMap(({ unsignedAttributes }) =>
    (unsignedAttributes?.all ?? []).filter(({ oid }) => oid === V3 || oid === V1),
  )
  const [attribute, another] = found
  if (attribute === undefined) throw timeStampRefusal('hashIndexMissing')
  const [value, more] = attribute.values
  if (value === undefined || another !== undefined || more !== undefined) throw timeStampRefusal('hashIndexDoubled')
  return readIndex(value, attribute.oid === V3)
}

function readIndex(element: DerElement, isByValue: boolean): HashIndex {
  const fields = fieldsOf(element)
  const lists = children(element)
  // SHA-256 goes unsaid in the older form.
  const digestOid = isByValue || lists.length === 4 ? readDigestOid(fields.any()) : SHA_256
  const [certificates, crls, attributes] = [fields.any(), fields.any(), fields.any()].map(hashesOf)
  fields.finish()
  return {
    der: encoded(element),
    digestOid,
    isByValue,
    hashes: { certificates: certificates ?? [], crls: crls ?? [], attributes: attributes ?? [] },
  }
}

const hashesOf = (list: DerElement): Uint8Array[] =>
  children(expectTag(list, SEQUENCE)).map((hash) => contents(expectTag(hash, OCTET_STRING)))

/**
 * The parts of a signature that an index has. Throws `invalidTspTimeStamp` with `hashIndex` where it has a hash of something else,
 * or one more often than the signature has the part: then something was taken out of the signature or replaced.
 */
export function indexedParts(index: HashIndex, parts: readonly ArchivedPart[]): readonly ArchivedPart[] {
  const left = new Map<string, number>()
  const keyOf = (field: string, hash: Uint8Array) => `${field} ${Buffer.from(hash).toString('hex')}`
  for (const [field, hashes] of Object.entries(index.hashes))
    for (const hash of hashes) left.set(keyOf(field, hash), (left.get(keyOf(field, hash)) ?? 0) + 1)
  const seen = new Set<object>()
  const found = parts.filter((part) => {
    const key = keyOf(part.field, hashOf(part, index))
    const due = left.get(key)
    // An attribute of several values has one hash in the older form.
    const isSame = !index.isByValue && part.attribute !== undefined && seen.has(part.attribute)
    if (isSame) return true
    if (due === undefined || due === 0) return false
    left.set(key, due - 1)
    if (part.attribute !== undefined) seen.add(part.attribute)
    return true
  })
  if ([...left.values()].some((due) => due > 0)) throw timeStampRefusal('hashIndex')
  return found
}

const hashOf = ({ octets, attribute }: ArchivedPart, { digestOid, isByValue }: HashIndex): Uint8Array =>
  digest(digestOid, ...(attribute === undefined || isByValue ? octets : [encoded(attribute.element)]))
