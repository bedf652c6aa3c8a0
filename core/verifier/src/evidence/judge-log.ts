import { RegistryError } from '../error.js'
import type { LeafText } from '../log/leaf-text.js'
import type { LogPolicy } from '../log/policy.js'
import { readLogProof } from '../log/proof.js'
import { type LogProofVerdict, verifyLogProof } from '../log/verify-log-proof.js'
import { readVerifierKey } from '../notes/verifier-key.js'
import type { ReadSignature } from '../signature.js'
import type { SignatureProof } from '../verification.js'
import { type CheckpointTime, CheckpointTimes, isOutside } from './checkpoint-time.js'
import {
  basicHash,
  digestsDiffer,
  digestsNotLogged,
  type LoggedDocument,
  type LoggedSignature,
  type SaidDocument,
  signatureDiffers,
} from './compare-logged.js'
import type { OpenLog } from './open-log.js'
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
  /**
   * The latest time, milliseconds, of the time stamp and the OCSP answer whose hashes the entry has: it was made after them.
   * `undefined` where none is proved here, as for hashes of a document.
   */
  readonly loggedAfter: number | undefined
  /** OIDs of hashes of the document that the bundle has and the entry does not; they may have been added later, or by anybody. */
  readonly notLogged: readonly string[]
  /** Whether the time of registration, which only the registry says, is more than five minutes outside of these two. */
  readonly isOutside: boolean
}

/** What was found out about a signature itself, as far as it was judged. */
export interface JudgedSignature {
  readonly signature?: Pick<ReadSignature, 'digests' | 'fingerprint'> | undefined
  readonly proof?: Pick<SignatureProof, 'status'> | undefined
}

/** What proofs of a log are judged by, as `LogProofOptions` has it. */
export interface LogTrustOptions {
  readonly logPolicy?: LogPolicy | undefined
  readonly logKeys?: readonly string[] | undefined
}

/** Logs of one registry: each key is tried on each proof. */
const MAX_HINTS = 8

/** What an entry is compared with, and what follows once it is the right one. */
interface LoggedEntry {
  /** What of it is not as the bundle has it. */
  differs(text: LeafText): string | undefined
  registeredAt(text: LeafText): string | undefined
  loggedAfter(): number | undefined
  notLogged(text: LeafText): readonly string[]
}

/** Judges the proofs of a bundle, whatever its signatures are. */
export class LogJudgement {
  private readonly hints: readonly string[]
  private readonly times: CheckpointTimes

  constructor(
    private readonly options: LogTrustOptions,
    /** Verifier keys that the bundle names, of which the first eight are taken: never the reader's trust. */
    hints: readonly string[],
    context: ConstructorParameters<typeof CheckpointTimes>[0],
  ) {
    this.hints = hints.slice(0, MAX_HINTS).filter(isVerifierKey)
    this.times = new CheckpointTimes(context)
  }

  signature(one: LoggedSignature, document: SaidDocument, judged: JudgedSignature | undefined): LogVerdict[] {
    const { signId, signature, storedAt, log } = one.statement
    const { documentId } = document
    return this.finding(log, one.log, {
      differs: (text) => signatureDiffers(text, document, one, judged?.signature),
      registeredAt: () => storedAt,
      loggedAfter: () => this.loggedAfter(one, judged),
      notLogged: () => [],
    }).map((found) => ({ documentId, signId, signature, ...found }))
  }

  digests(one: LoggedDocument): LogVerdict[] {
    const { documentId, log } = one.statement
    return this.finding(log, one.log, {
      differs: (text) => digestsDiffer(text, one),
      registeredAt: ({ fields }) => fields.get('fixedAt'),
      loggedAfter: () => undefined,
      notLogged: (text) => digestsNotLogged(text, one),
    }).map((found) => ({ documentId, ...found }))
  }

  /** A hash of what did not exist yet is in no entry, so that an entry is younger than what it has the hash of. */
  private loggedAfter({ timeStamp, ocsp }: LoggedSignature, judged: JudgedSignature | undefined): number | undefined {
    const stamped = this.times.ofToken(timeStamp)
    const status = judged?.proof?.status
    // The answer that the verdict rests on, where it is the one that was logged.
    const isLogged = status !== undefined && ocsp !== undefined && basicHash(status.response) === basicHash(ocsp)
    const times = [...(stamped.state === 'proved' ? [stamped.time] : []), ...(isLogged ? [status.producedAt] : [])]
    return times.length === 0 ? undefined : Math.max(...times)
  }

  private finding(stated: LogStatement | undefined, open: OpenLog | undefined, entry: LoggedEntry): LogFinding[] {
    if (stated !== undefined && stated.state !== 'logged') return [{ state: stated.state }]
    if (open === undefined) return []
    const wrong = (file: string, reason: string, field?: string): LogFinding[] => [
      { state: 'wrong', file, reason, ...(field !== undefined && { field }) },
    ]
    const { statement, checkpoint } = open
    const proof = this.proof(open)
    if (typeof proof === 'string') return wrong(statement.proof, proof)
    const field = entry.differs(proof)
    if (field !== undefined) return wrong(statement.proof, 'otherEntry', field)
    const loggedBefore = this.times.of(checkpoint)
    const { stamp, note } = checkpoint.files
    if (loggedBefore.state === 'wrong') return wrong(stamp ?? note, `timeStamp.${loggedBefore.reason}`)
    const loggedAfter = entry.loggedAfter()
    const { origin, index, size, logKey, witnesses, trust, problems } = proof
    const found = { origin, index, size, logKey, witnesses, trust, problems, loggedAfter, loggedBefore }
    const outside = { isOutside: isOutside(entry.registeredAt(proof), loggedAfter, loggedBefore) }
    return [{ state: 'logged', file: statement.proof, ...found, ...outside, notLogged: entry.notLogged(proof) }]
  }

  /** The verdict on a proof, or why it is wrong. */
  private proof({ proof, checkpoint }: OpenLog): LogProofVerdict | string {
    try {
      const { logPolicy: policy, logKeys } = this.options
      const text = textOf(proof)
      // Proofs share their checkpoints: what is longer than the one in a proof is not read for each.
      if (!Buffer.from(readLogProof(text).checkpoint).equals(checkpoint.note)) return 'checkpoint'
      return verifyLogProof(text, { policy, logKeys, hints: this.hints })
    } catch (error) {
      if (error instanceof RegistryError) return String(error.details?.reason ?? error.code)
      throw error
    }
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
