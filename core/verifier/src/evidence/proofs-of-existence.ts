import type { FilesVerdict } from '../verify-files.js'
import type { LogVerdict } from './judge-log.js'
import type { RecordVerdict } from './judge-record.js'
import type { EvidenceStatement } from './statement.js'

/** A proof that something existed at a time. */
export interface ProofOfExistence {
  /** Milliseconds since the epoch. */
  readonly time: number
  /**
   * A time stamp over the signature value, one over a checkpoint of a log that has the entry, or an evidence record over the
   * signature with its evidence.
   */
  readonly kind: 'timeStamp' | 'logCheckpoint' | 'evidenceRecord'
  /** What existed: a signature, or the hashes of a document. */
  readonly over: { readonly documentId: string; readonly signId?: number | undefined }
  /** Of an evidence record: until when it proves that without a further renewal, milliseconds; `Infinity` where nothing ends. */
  readonly holdsUntil?: number | undefined
  /** Of an evidence record: how many chains it has, and how many time stamps in all of them. */
  readonly chains?: number | undefined
  readonly stamps?: number | undefined
}

/** Every proof that was verified, the earliest first; what only a registry says is none. */
export function proofsOfExistence(
  { documents }: Pick<EvidenceStatement, 'documents'>,
  signatures: FilesVerdict['signatures'],
  { log, records }: { readonly log: readonly LogVerdict[]; readonly records: readonly RecordVerdict[] },
): ProofOfExistence[] {
  const stamps = new Map(signatures.map(({ file, proof }) => [file, proof?.timeStamp?.genTime]))
  const stamped = documents.flatMap(({ documentId, signatures: own }) =>
    own.flatMap(({ signId, signature }): ProofOfExistence[] => {
      const time = stamps.get(signature)
      return time === undefined ? [] : [{ time, kind: 'timeStamp', over: { documentId, signId } }]
    }),
  )
  const logged = log.flatMap((one): ProofOfExistence[] => {
    if (one.state !== 'logged' || one.loggedBefore.state !== 'proved') return []
    const { documentId, signId } = one
    return [
      {
        time: one.loggedBefore.time,
        kind: 'logCheckpoint',
        over: { documentId, ...(signId !== undefined && { signId }) },
      },
    ]
  })
  const recorded = records.flatMap((one): ProofOfExistence[] => {
    if (one.state !== 'proved') return []
    const { existedAt: time, documentId, signId, holdsUntil, chains } = one
    const stamps = chains.reduce((sum, chain) => sum + chain.stamps.length, 0)
    return [{ time, kind: 'evidenceRecord', over: { documentId, signId }, holdsUntil, chains: chains.length, stamps }]
  })
  return [...stamped, ...logged, ...recorded].sort((one, other) => one.time - other.time)
}
