import { readAlgorithmIdentifier, readDigestOid } from '../algorithms/algorithm-identifier.js'
import { readSignedData } from '../cms/signed-data.js'
import { type MessageImprint, readTstInfo } from '../cms/tst-info.js'
import { contextConstructed, expectTag, fieldsOf, INTEGER, OCTET_STRING, SEQUENCE } from '../der/fields.js'
import { readSmallInteger } from '../der/integer.js'
import { children, contents, type DerElement, DerError, encoded, readDer } from '../der/reader.js'
import { recordErrors } from './errors.js'

/**
 * Lists of hashes on the way from a data object to the root (RFC 4998, 4.2): the first has the hash of the data object, each
 * later one what the hash of the list before it is hashed with.
 */
export type ReducedTree = readonly (readonly Uint8Array[])[]

/** A time stamp over the root of a tree, and the part of the tree that leads there (RFC 4998, 4.1). */
export interface ArchiveTimeStamp {
  /** OID of the digest of the tree, which is that of the time stamp where it is not named. */
  readonly digestOid: string
  /** `undefined` where the time stamp is over the hash of the data object itself. */
  readonly reducedTree: ReducedTree | undefined
  /** TimeStampToken, DER. */
  readonly token: Uint8Array
  /** What the token says that it is over. */
  readonly imprint: MessageImprint
  readonly der: Uint8Array
}

/** Archive time stamps by one digest, of which each covers the one before (RFC 4998, 5.1). */
export interface ArchiveTimeStampChain {
  readonly stamps: readonly ArchiveTimeStamp[]
  readonly der: Uint8Array
}

/** An evidence record (RFC 4998, 3.1): the first stamp of each chain covers the data object and all chains before. */
export interface EvidenceRecord {
  readonly chains: readonly ArchiveTimeStampChain[]
}

const MAX_BYTES = 8 * 2 ** 20
const MAX_CHAINS = 32
/** In all chains together: each costs the verification of a signature and a path. */
const MAX_STAMPS = 128
/** More than a tree of any size has levels. */
const MAX_LISTS = 64
const MAX_HASHES = 1024

/** Tags of an ArchiveTimeStamp, and of an EvidenceRecord. */
export const DIGEST_ALGORITHM = contextConstructed(0)
const ATTRIBUTES = contextConstructed(1)
export const REDUCED_TREE = contextConstructed(2)
const CRYPTO_INFOS = contextConstructed(0)
const ENCRYPTION_INFO = contextConstructed(1)

/** Reads an evidence record, DER; nothing in it is trusted. Throws `evidenceRecordNotRead`. */
export function readEvidenceRecord(der: Uint8Array): EvidenceRecord {
  if (der.length > MAX_BYTES) throw notRead('tooLarge')
  try {
    const fields = fieldsOf(readDer(der))
    if (readSmallInteger(fields.take(INTEGER)) !== 1) throw notRead('version')
    children(fields.take(SEQUENCE), MAX_CHAINS).map(readAlgorithmIdentifier)
    // Nobody signed it, and the tokens carry what they are verified with.
    fields.takeIf(CRYPTO_INFOS)
    if (fields.tag === ENCRYPTION_INFO) throw notRead('encrypted')
    const chains = someOf(fields.take(SEQUENCE), MAX_CHAINS).map(readChain)
    fields.finish()
    if (chains.reduce((sum, { stamps }) => sum + stamps.length, 0) > MAX_STAMPS) throw notRead('overLimit')
    return { chains }
  } catch (error) {
    if (!(error instanceof DerError)) throw error
    throw notRead(String(error.details?.reason), error)
  }
}

const readChain = (element: DerElement): ArchiveTimeStampChain => ({
  stamps: someOf(expectTag(element, SEQUENCE), MAX_STAMPS).map(readArchiveTimeStamp),
  der: encoded(element),
})

function readArchiveTimeStamp(element: DerElement): ArchiveTimeStamp {
  const fields = fieldsOf(element)
  const algorithm = fields.takeIf(DIGEST_ALGORITHM)
  fields.takeIf(ATTRIBUTES)
  const tree = fields.takeIf(REDUCED_TREE)
  const token = encoded(fields.take(SEQUENCE))
  fields.finish()
  const imprint = imprintOf(token)
  return {
    digestOid: algorithm === undefined ? imprint.digestOid : readDigestOid({ ...algorithm, tag: SEQUENCE }),
    reducedTree: tree && someOf(tree, MAX_LISTS).map(readHashes),
    token,
    imprint,
    der: encoded(element),
  }
}

function imprintOf(token: Uint8Array): MessageImprint {
  const { content } = readSignedData(token)
  if (content === undefined) throw new DerError('the token has no content')
  return readTstInfo(content).imprint
}

const readHashes = (list: DerElement): Uint8Array[] =>
  someOf(expectTag(list, SEQUENCE), MAX_HASHES).map((hash) => contents(expectTag(hash, OCTET_STRING)))

/** The elements of a list that is not empty. */
function someOf(element: DerElement, limit: number): DerElement[] {
  const found = children(element, limit)
  if (found.length === 0) throw notRead('empty')
  return found
}

const notRead = (reason: string, cause?: unknown) => recordErrors.error('evidenceRecordNotRead', { reason }, cause)
