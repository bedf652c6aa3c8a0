import type { DevAuthorities } from '@signed-registry/dev-authorities'
import {
  beginRecord,
  coveredByChain,
  coveredByStamp,
  HashTree,
  type NewStamp,
  readEvidenceRecord,
  renewedByChain,
  renewedByStamp,
} from '@signed-registry/verifier/records'
import { generalizedTime, octetString, sequence } from '#dev-authorities/der/writer.js'
import { digestAlgorithm, type HashName } from '#dev-authorities/hashes.js'
import { digest } from '#verifier/algorithms/digest.js'
import { NOW } from './authorities.js'
import { timeStamper, tokenOf, tstInfo } from './tokens.js'

export const YEAR = 365 * 24 * 60 * 60_000
/** OIDs of digests by their names. */
export const OIDS = {
  sha256: '2.16.840.1.101.3.4.2.1',
  sha384: '2.16.840.1.101.3.4.2.2',
  sha512: '2.16.840.1.101.3.4.2.3',
} as const
export type Digest = keyof typeof OIDS

/** What a time stamp over a root is made with; it holds for three years unless said otherwise. */
export interface Stamping {
  readonly by: DevAuthorities
  readonly at: number
  readonly digest?: Digest
  readonly notAfter?: number
}

/** A token over a root as it stands. */
export function stampOver(root: Uint8Array, { by, at, digest: name = 'sha512', notAfter = at + 3 * YEAR }: Stamping) {
  const authority = timeStamper(by, { notBefore: Math.min(at, NOW) - 1, notAfter })
  const imprint = sequence(digestAlgorithm(name satisfies HashName), octetString(root))
  return tokenOf(authority, tstInfo(root, { imprint, genTime: generalizedTime(at) }), { hash: 'sha256' })
}

/** Stamps for members of a tree over these hashes: one token, and the way of each. */
export function stamps(hashes: readonly Uint8Array[], stamping: Stamping): (place: number) => NewStamp {
  const tree = new HashTree(OIDS[stamping.digest ?? 'sha512'], hashes)
  const token = stampOver(tree.root, stamping)
  return (place) => ({ token, reducedTree: tree.reducedTree(place) })
}

/** Records of data objects under one time stamp. */
export function begun(data: readonly Uint8Array[], stamping: Stamping): Uint8Array[] {
  const oid = OIDS[stamping.digest ?? 'sha512']
  const stampOf = stamps(
    data.map((one) => digest(oid, one)),
    stamping,
  )
  return data.map((_, place) => beginRecord(oid, stampOf(place)))
}

/** Records of several trees, whose tokens are renewed by one time stamp. */
export function stampRenewed(records: readonly Uint8Array[], stamping: Stamping): Uint8Array[] {
  const opened = records.map(readEvidenceRecord)
  const covered = opened.map(coveredByStamp)
  const nodes = new Map(covered.map(({ hash }) => [Buffer.from(hash).toString('hex'), hash]))
  const tree = new HashTree(OIDS[stamping.digest ?? 'sha512'], [...nodes.values()])
  const token = stampOver(tree.root, stamping)
  const places = [...nodes.keys()]
  return opened.map((record, index) => {
    const { hash, group } = covered[index] ?? coveredByStamp(record)
    const place = places.indexOf(Buffer.from(hash).toString('hex'))
    return renewedByStamp(record, { token, reducedTree: tree.reducedTree(place, group) })
  })
}

/** Records renewed by another digest under one time stamp. */
export function hashRenewed(
  records: readonly Uint8Array[],
  data: readonly Uint8Array[],
  stamping: Stamping & { readonly digest: Digest },
): Uint8Array[] {
  const digestOid = OIDS[stamping.digest]
  const opened = records.map(readEvidenceRecord)
  const covered = opened.map((record, place) =>
    coveredByChain(record, { digestOid, hash: digest(digestOid, data[place] ?? new Uint8Array()) }),
  )
  const stampOf = stamps(
    covered.map(({ hash }) => hash),
    stamping,
  )
  return opened.map((record, place) => renewedByChain(record, digestOid, stampOf(place)))
}
