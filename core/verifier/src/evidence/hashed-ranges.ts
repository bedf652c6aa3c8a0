import type { ByteSource } from '../byte-source.js'
import { digestsOfCms } from '../cms/digests-of-cms.js'
import { hashRanges } from '../pdf/hash-ranges.js'
import type { FileDigests } from '../signed-file.js'
import { isPdfAsSigned, isSignatureInGap, leaveOutRevisions } from './signature-in-gap.js'
import type { SignatureStatement } from './statement.js'

/** A signature of a bundle, and what it is said to be over. */
interface Covering {
  readonly statement: Pick<SignatureStatement, 'coverage'>
  readonly signed: Uint8Array
}

/**
 * The digests of what signatures are over, of those that are over ranges of a document that is shown and leave out nothing but
 * themselves, in one pass. What was changed behind ranges takes all that end before the document.
 */
export function hashedRanges<T extends Covering>(
  signatures: readonly T[],
  content: ByteSource | undefined,
): ReadonlyMap<T, FileDigests> {
  if (content === undefined) return new Map()
  const found = signatures.flatMap((one) => {
    const { coverage } = one.statement
    if (coverage?.of !== 'ranges' || !isSignatureInGap(one.signed, coverage.ranges, content)) return []
    const { ranges } = coverage
    return [{ one, ranges, oids: digestsOfCms(one.signed), isEarlier: leaveOutRevisions(coverage, content.size) }]
  })
  const isAsSigned = found.every(({ isEarlier }) => !isEarlier) || isPdfAsSigned(content)
  const wanted = isAsSigned ? found : found.filter(({ isEarlier }) => !isEarlier)
  if (wanted.length === 0) return new Map()
  const hashed = hashRanges(content, wanted)
  return new Map(wanted.map(({ one }, index) => [one, hashed[index] ?? new Map()]))
}
