import { RegistryError } from '../error.js'
import { readCheckpoint } from '../log/checkpoint.js'
import type { LeafText } from '../log/leaf-text.js'
import type { LogPolicy } from '../log/policy.js'
import { readLogProof } from '../log/proof.js'
import { type LogProofVerdict, verifyLogProof } from '../log/verify-log-proof.js'
import { readNote, verifySignedNote } from '../notes/signed-note.js'
import { readVerifierKey } from '../notes/verifier-key.js'
import type { ReadSignature } from '../signature.js'
import { type CheckpointTime, CheckpointTimes, isOutside } from './checkpoint-time.js'
import { digestsDiffer, type LoggedDocument, type LoggedSignature, signatureDiffers } from './compare-logged.js'
import type { OpenLog, OpenStamped } from './open-log.js'
import type { LogStatement, UnprovedState } from './statement.js'

/** What the log proves of a signature, or of the hashes of a document. */
export type LogVerdict = {
  readonly documentId: string
  /** Of a signature alone: its number, and the file that it is in. */
  readonly signId?: number | undefined
  readonly signature?: string | undefined
} & LogFinding

/** What was found out about one entry of a log. */
export type LogFinding =
  /** The registry says that there is no proof, and why. */
  | { readonly state: UnprovedState }
  /** The proof is of something else: `field` names what of the entry differs. */
  | { readonly state: 'wrong'; readonly file: string; readonly reason: string; readonly field?: string | undefined }
  | ProvedLog

/** An entry that leads to the root of its checkpoint and says what the bundle has. */
export interface ProvedLog
  extends Pick<LogProofVerdict, 'origin' | 'index' | 'size' | 'logKey' | 'witnesses' | 'trust' | 'problems'> {
  readonly state: 'logged'
  readonly file: string
  /** When the checkpoint existed, and with it the entry. */
  readonly loggedBefore: CheckpointTime
  /** When an earlier checkpoint existed, which does not have the entry. */
  readonly notBefore: CheckpointTime
  /** Whether the time of registration, which only the registry says, is more than five minutes outside of these two. */
  readonly isOutside: boolean
}

/** What proofs of a log are judged by. */
export interface LogTrustOptions {
  readonly logPolicy?: LogPolicy | undefined
  readonly logKeys?: readonly string[] | undefined
}

/** Logs of one registry: each key is tried on each proof. */
const MAX_HINTS = 8

/** Judges the proofs of a bundle, whatever its signatures are. */
export class LogJudgement {
  private readonly keys: readonly string[]
  private readonly times: CheckpointTimes

  constructor(
    private readonly options: LogTrustOptions,
    /** Verifier keys that the bundle names, of which the first eight are taken. */
    hints: readonly string[],
    context: ConstructorParameters<typeof CheckpointTimes>[0],
  ) {
    this.keys = [...(options.logKeys ?? []), ...hints.slice(0, MAX_HINTS).filter(isVerifierKey)]
    this.times = new CheckpointTimes(context)
  }

  signature(one: LoggedSignature, documentId: string, read: Pick<ReadSignature, 'digests'> | undefined): LogVerdict[] {
    const { signId, signature, storedAt, log } = one.statement
    const differs = (text: LeafText) => signatureDiffers(text, documentId, one, read)
    return this.finding(log, one.log, differs, () => storedAt).map((found) => ({
      documentId,
      signId,
      signature,
      ...found,
    }))
  }

  digests(one: LoggedDocument): LogVerdict[] {
    const { documentId, log } = one.statement
    const differs = (text: LeafText) => digestsDiffer(text, one)
    return this.finding(log, one.log, differs, ({ fields }) => fields.get('fixedAt')).map((found) => ({
      documentId,
      ...found,
    }))
  }

  private finding(
    stated: LogStatement | undefined,
    open: OpenLog | undefined,
    differs: (text: LeafText) => string | undefined,
    registeredAt: (text: LeafText) => string | undefined,
  ): LogFinding[] {
    if (stated !== undefined && stated.state !== 'logged') return [{ state: stated.state }]
    if (open === undefined) return []
    const wrong = (file: string, reason: string, field?: string): LogFinding[] => [
      { state: 'wrong', file, reason, ...(field !== undefined && { field }) },
    ]
    const { statement, checkpoint, before } = open
    const proof = this.proof(open)
    if (typeof proof === 'string') return wrong(statement.proof, proof)
    const field = differs(proof)
    if (field !== undefined) return wrong(statement.proof, 'otherEntry', field)
    if (before !== undefined && !isEarlier(before, proof)) return wrong(before.files.note, 'checkpoint')
    const loggedBefore = this.times.of(checkpoint)
    const notBefore: CheckpointTime = before === undefined ? { state: 'none' } : this.times.of(before)
    for (const [time, { files }] of [[loggedBefore, checkpoint] as const, [notBefore, before ?? checkpoint] as const])
      if (time.state === 'wrong') return wrong(files.stamp ?? files.note, `timeStamp.${time.reason}`)
    const { origin, index, size, logKey, witnesses, trust, problems } = proof
    const found = { origin, index, size, logKey, witnesses, trust, problems, loggedBefore, notBefore }
    const outside = { isOutside: isOutside(registeredAt(proof), notBefore, loggedBefore) }
    return [{ state: 'logged', file: statement.proof, ...found, ...outside }]
  }

  /** The verdict on a proof, or why it is wrong. */
  private proof({ proof, checkpoint }: OpenLog): LogProofVerdict | string {
    try {
      const text = textOf(proof)
      if (readLogProof(text).checkpoint !== textOf(checkpoint.note)) return 'checkpoint'
      return verifyLogProof(text, { policy: this.options.logPolicy, logKeys: this.keys })
    } catch (error) {
      if (error instanceof RegistryError) return String(error.details?.reason ?? error.code)
      throw error
    }
  }
}

/** Whether a checkpoint is of the same log, and of a tree that does not have the entry yet. */
function isEarlier({ note }: OpenStamped, { origin, index, logKey }: LogProofVerdict): boolean {
  try {
    const text = textOf(note)
    const found = readCheckpoint(logKey === undefined ? readNote(text).text : verifySignedNote(text, logKey))
    return found.origin === origin && found.size <= index
  } catch (error) {
    if (error instanceof RegistryError) return false
    throw error
  }
}

function isVerifierKey(text: string): boolean {
  try {
    return readVerifierKey(text).name !== ''
  } catch (error) {
    if (error instanceof RegistryError) return false
    throw error
  }
}

const textOf = (octets: Uint8Array): string => new TextDecoder('utf-8', { ignoreBOM: true }).decode(octets)
