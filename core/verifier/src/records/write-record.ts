import { digest } from '../algorithms/digest.js'
import { INTEGER } from '../der/fields.js'
import { writeDigestAlgorithm, writeElement, writeOctetString, writeSequence } from '../der/writer.js'
import { itemAt } from '../item-at.js'
import { DIGEST_ALGORITHM, type EvidenceRecord, REDUCED_TREE, type ReducedTree } from './evidence-record.js'
import { hashOfSiblings } from './hash-tree.js'
import { hashWithChains } from './hash-with-chains.js'

/** A time stamp over the root of a tree, and the way there from what it covers. */
export interface NewStamp {
  /** TimeStampToken, DER. It is hashed when it is renewed: certificates and revocation information stand in it before. */
  readonly token: Uint8Array
  readonly reducedTree: ReducedTree | undefined
}

/** A hash, and the OID of its algorithm. */
export interface Covered {
  readonly digestOid: string
  readonly hash: Uint8Array
}

/** What a time stamp covers that renews others, and what the way to the root begins with. */
export interface CoveredTokens extends Covered {
  readonly group: readonly Uint8Array[]
}

/** The record of a data object whose hash a time stamp covers (RFC 4998, 4.2). */
export const beginRecord = (digestOid: string, stamp: NewStamp): Uint8Array =>
  write([digestOid], [writeSequence(writeStamp(digestOid, stamp))])

/**
 * What a time stamp has to cover that renews the last one of a record (RFC 4998, 5.2, time-stamp renewal): all tokens of its
 * chain, as BouncyCastle demands where the RFC asks for the last one. `group` is what the way to the root begins with.
 */
export function coveredByStamp({ chains }: EvidenceRecord): CoveredTokens {
  const { stamps } = itemAt(chains, chains.length - 1)
  const { digestOid } = itemAt(stamps, 0)
  return coveredTokens(
    digestOid,
    stamps.map(({ token }) => token),
  )
}

/** As `coveredByStamp`, of the tokens of a chain. */
export function coveredTokens(digestOid: string, tokens: readonly Uint8Array[]): CoveredTokens {
  const group = tokens.map((token) => digest(digestOid, token)).sort(Buffer.compare)
  return { digestOid, group, hash: hashOfSiblings(digestOid, group) }
}

/** What a time stamp has to cover that renews a whole record by another digest, of which the hash of the data object is (RFC 4998, 5.2, hash-tree renewal). */
export const coveredByChain = ({ chains }: EvidenceRecord, { digestOid, hash }: Covered): Covered => ({
  digestOid,
  hash: hashWithChains(digestOid, hash, chains),
})

/** The record with a time stamp over what `coveredByStamp` answers; what it had stays octet for octet. */
export function renewedByStamp({ chains }: EvidenceRecord, stamp: NewStamp): Uint8Array {
  const { stamps } = itemAt(chains, chains.length - 1)
  const { digestOid } = itemAt(stamps, 0)
  const last = writeSequence(...stamps.map(({ der }) => der), writeStamp(digestOid, stamp))
  return write(digestsOf(chains), [...chains.slice(0, -1).map(({ der }) => der), last])
}

/** The record with a chain that a time stamp over what `coveredByChain` answers begins. */
export const renewedByChain = ({ chains }: EvidenceRecord, digestOid: string, stamp: NewStamp): Uint8Array =>
  write(
    [...digestsOf(chains), digestOid],
    [...chains.map(({ der }) => der), writeSequence(writeStamp(digestOid, stamp))],
  )

/** An ArchiveTimeStampChain of time stamps by one digest, DER (RFC 4998, 5.1). */
export const writeChain = (digestOid: string, stamps: readonly NewStamp[]): Uint8Array =>
  writeSequence(...stamps.map((stamp) => writeStamp(digestOid, stamp)))

/** The record of these chains, each by a digest: as `beginRecord` and its renewals write it. */
export const writeRecord = (chains: readonly { readonly digestOid: string; readonly der: Uint8Array }[]): Uint8Array =>
  write(
    chains.map(({ digestOid }) => digestOid),
    chains.map(({ der }) => der),
  )

const digestsOf = (chains: EvidenceRecord['chains']): string[] =>
  chains.flatMap(({ stamps }) => stamps.map(({ digestOid }) => digestOid))

function writeStamp(digestOid: string, { reducedTree, token }: NewStamp): Uint8Array {
  const digestAlgorithm = Uint8Array.from(writeDigestAlgorithm(digestOid))
  // Implicit tag.
  digestAlgorithm[0] = DIGEST_ALGORITHM
  const lists = reducedTree?.map((hashes) => writeSequence(...hashes.map(writeOctetString))) ?? []
  return writeSequence(digestAlgorithm, ...(lists.length === 0 ? [] : [writeElement(REDUCED_TREE, ...lists)]), token)
}

const write = (digestOids: readonly string[], chains: readonly Uint8Array[]): Uint8Array =>
  writeSequence(
    writeElement(INTEGER, Uint8Array.of(1)),
    writeSequence(...[...new Set(digestOids)].map(writeDigestAlgorithm)),
    writeSequence(...chains),
  )
