import type { FilesVerdict } from '../verify-files.js'
import type { LogVerdict } from './judge-log.js'
import type { EvidenceStatement } from './statement.js'

/** A proof that something existed at a time. */
export interface ProofOfExistence {
  /** Milliseconds since the epoch. */
  readonly time: number
  /** A time stamp over the signature value, or one over a checkpoint of a log that has the entry. */
  readonly kind: 'timeStamp' | 'logCheckpoint'
  /** What existed: a signature, or the hashes of a document. */
  readonly over: { readonly documentId: string; readonly signId?: number | undefined }
}

/** Every proof that was verified, the earliest first; what only a registry says is none. */
export function proofsOfExistence(
  { documents }: Pick<EvidenceStatement, 'documents'>,
  signatures: FilesVerdict['signatures'],
  log: readonly LogVerdict[],
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
  return [...stamped, ...logged].sort((one, other) => one.time - other.time)
}
