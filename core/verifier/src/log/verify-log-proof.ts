import { isSignedBy, readNote, type SignedNote } from '../notes/signed-note.js'
import { readVerifierKey } from '../notes/verifier-key.js'
import { readCheckpoint } from './checkpoint.js'
import { SALT_BYTES, saltedEntry } from './entry.js'
import { logErrors } from './errors.js'
import { type LeafText, readLeafText } from './leaf-text.js'
import { isIncluded, leafHash } from './merkle.js'
import {
  canBeMet,
  isWithoutLogs,
  type LogPolicy,
  NO_WITNESSES,
  policyVerdict,
  quorumsIntersect,
  type WitnessSeen,
} from './policy.js'
import { readLogProof } from './proof.js'
import { publicText } from './public-entry.js'

/** What a proof is judged by. */
export interface LogProofOptions {
  /** Whose logs and witnesses are trusted; without it, trust is never established. */
  readonly policy?: LogPolicy | undefined
  /**
   * Verifier keys of logs that the reader knows from a source of his own. A policy without `log` lines takes these as its
   * logs (C2SP tlog-policy leaves them to what is known otherwise), so that trust is established by both together; a policy
   * with `log` lines trusts those alone.
   */
  readonly logKeys?: readonly string[] | undefined
  /** Verifier keys that come with the proof, such as those a registry names: never trust, whatever the policy. */
  readonly hints?: readonly string[] | undefined
}

/** What a right proof is worth. */
export type LogTrust =
  /** By the policy: its log signed the checkpoint, and its quorum of witnesses saw it. */
  | 'established'
  /** A known log signed the checkpoint; problems say what the policy misses. */
  | 'notEstablished'
  /** No key that is known signed the checkpoint: anybody can have made it. */
  | 'unknownLog'

/** Why trust is not established, or what to think of though it is. */
export type LogProblem =
  /** No key that is known signed the checkpoint. */
  | 'keyUnknown'
  /** No policy says whom to trust. */
  | 'policyMissing'
  /** The policy has another log, or another key of it. */
  | 'logNotTrusted'
  /** Too few witnesses of the policy cosigned the checkpoint. */
  | 'quorumMissing'
  /** So many witnesses of the policy have keys of types not known here that its quorum cannot be met. */
  | 'quorumImpossible'
  /** The policy has logs or witnesses with keys of types not known here: they never count. */
  | 'keysPassedOver'
  /** The policy asks for no witnesses: the operator of the log can show each reader another tree. */
  | 'noWitnesses'
  /** Two sets of witnesses that have none in common satisfy the policy: the operator can show two trees. */
  | 'quorumsDisjoint'

/** A proof that leads to the root of its checkpoint. */
export interface LogProofVerdict extends LeafText {
  readonly origin: string
  readonly index: number
  /** Number of entries in the tree of the checkpoint. */
  readonly size: number
  /** Whether the entry stands in the log for everybody to read. */
  readonly isPublic: boolean
  /** Verifier key of the log that signed the checkpoint, of those that are known. */
  readonly logKey: string | undefined
  /** Witnesses of the policy that cosigned the checkpoint. */
  readonly witnesses: readonly WitnessSeen[]
  readonly trust: LogTrust
  readonly problems: readonly LogProblem[]
}

/**
 * Judges the proof that an entry of a registry is logged, whose extra data is the salt and the text of the entry, or a
 * public entry itself. Throws `logNotRead`, `logNotProved`, and `noteNotVerified` where a signature by a known key is wrong.
 */
export function verifyLogProof(proof: string, options: LogProofOptions = {}): LogProofVerdict {
  const { extra, index, hashes, checkpoint: note } = readLogProof(proof)
  const read = readNote(note)
  const { origin, size, root } = readCheckpoint(read.text)
  if (extra === undefined || extra.length <= SALT_BYTES)
    throw logErrors.error('logNotProved', { reason: 'extraMissing' })
  const open = publicText(extra)
  const text = open ?? Buffer.from(extra.subarray(SALT_BYTES)).toString()
  const entry = open === undefined ? saltedEntry(extra.subarray(0, SALT_BYTES), text) : extra
  if (!isIncluded({ leaf: leafHash(entry), index, size, proof: hashes, root }))
    throw logErrors.error('logNotProved', { reason: 'notIncluded' })
  const facts = { origin, index, size, isPublic: open !== undefined, ...readLeafText(text) }
  return { ...facts, ...trustIn(note, read, origin, options) }
}

type Judged = Pick<LogProofVerdict, 'logKey' | 'witnesses' | 'trust' | 'problems'>

function trustIn(note: string, read: SignedNote, origin: string, options: LogProofOptions): Judged {
  const { policy, logKeys = [], hints = [] } = options
  const signer = (keys: readonly string[]) =>
    keys.find((text) => {
      const key = readVerifierKey(text)
      return key.name === origin && isSignedBy(read, key)
    })
  const known = signer(logKeys)
  const { log, witnesses, quorum } =
    policy === undefined ? { log: undefined, witnesses: [], quorum: false } : policyVerdict(note, policy)
  const trusted = policy !== undefined && isWithoutLogs(policy) ? known : log
  const logKey = log ?? known ?? signer(hints)
  const passedOver: LogProblem[] = (policy?.passedOver ?? []).length === 0 ? [] : ['keysPassedOver']
  const judged = (trust: LogTrust, ...problems: LogProblem[]): Judged => ({
    ...{ logKey, witnesses, trust },
    problems: [...problems, ...passedOver],
  })
  if (logKey === undefined) return judged('unknownLog', 'keyUnknown')
  if (policy === undefined) return judged('notEstablished', 'policyMissing')
  if (trusted === undefined) return judged('notEstablished', 'logNotTrusted')
  if (!quorum) return judged('notEstablished', canBeMet(policy) ? 'quorumMissing' : 'quorumImpossible')
  if (policy.quorum === NO_WITNESSES) return judged('established', 'noWitnesses')
  return quorumsIntersect(policy) ? judged('established') : judged('established', 'quorumsDisjoint')
}
