import { digest } from '../algorithms/digest.js'
import { writeSequence } from '../der/writer.js'
import type { ArchiveTimeStampChain } from './evidence-record.js'

/** What the first time stamp of a later chain covers: the data object and all chains before (RFC 4998, 5.2). */
export const hashWithChains = (
  oid: string,
  hash: Uint8Array,
  chains: readonly Pick<ArchiveTimeStampChain, 'der'>[],
): Uint8Array => digest(oid, hash, digest(oid, writeSequence(...chains.map(({ der }) => der))))
