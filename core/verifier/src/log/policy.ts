import { isSignedBy, readNote } from '../notes/signed-note.js'
import type { NoteKey } from '../notes/verifier-key.js'
import { readCheckpoint } from './checkpoint.js'
import { cosignedAt } from './cosignature.js'

/** A log that is trusted to be one (C2SP tlog-policy, "Defining a log"). */
export interface PolicyLog {
  /** The key as it is written, and as it is read; its name is the origin of the log. */
  readonly verifierKey: string
  readonly key: NoteKey
  readonly url?: string | undefined
}

/** A witness that counts. */
export interface PolicyWitness extends PolicyLog {
  /** Its name in the policy. */
  readonly name: string
}

/** Witnesses and groups of which a number has to cosign. */
export interface PolicyGroup {
  readonly name: string
  readonly threshold: number
  readonly members: readonly string[]
}

/** A log or a witness whose key is of a type that is not known here: nothing by it can be verified, so it never counts. */
export interface PassedOver {
  readonly role: 'log' | 'witness'
  /** Of a witness its name in the policy; of a log its origin. */
  readonly name: string
  readonly verifierKey: string
}

/** Whose logs are trusted, and which witnesses have to have seen a checkpoint. */
export interface LogPolicy {
  /** None where the policy has no `log` lines: then its logs are those that the reader knows from elsewhere. */
  readonly logs: readonly PolicyLog[]
  /** Those that can be verified; groups and the quorum may name others too. */
  readonly witnesses: readonly PolicyWitness[]
  /** Logs and witnesses that never count. */
  readonly passedOver: readonly PassedOver[]
  /** Each after the groups that it names. */
  readonly groups: readonly PolicyGroup[]
  /** Name of a witness or a group; `none` where no witness has to cosign. */
  readonly quorum: string
}

/** A witness of the policy that cosigned, and when. */
export interface WitnessSeen {
  readonly name: string
  readonly verifierKey: string
  /** Seconds since 1970. */
  readonly time: number
}

/** What a policy makes of a checkpoint. */
export interface PolicyVerdict {
  /** Verifier key of the log of the policy that signed it. */
  readonly log: string | undefined
  readonly witnesses: readonly WitnessSeen[]
  /** Whether enough witnesses cosigned. */
  readonly quorum: boolean
}

/** The quorum of a policy that asks for no witnesses. */
export const NO_WITNESSES = 'none'

/** Judges the signed note of a checkpoint; throws `noteNotVerified` where a signature by a log or a witness of the policy is wrong. */
export function policyVerdict(note: string, policy: LogPolicy): PolicyVerdict {
  const read = readNote(note)
  const { origin } = readCheckpoint(read.text)
  const [log] = policy.logs.filter(({ key }) => key.name === origin && isSignedBy(read, key))
  const witnesses = policy.witnesses.flatMap(({ name, verifierKey, key }) => {
    const seen = cosignedAt(read, key)
    return seen === undefined ? [] : [{ name, verifierKey, time: seen.time }]
  })
  const reached = reachedBy(policy, witnesses)
  return { log: log?.verifierKey, witnesses, quorum: reached.has(policy.quorum) }
}

/** Whether a policy leaves the logs to what its reader knows from elsewhere: it has no `log` line. */
export const isWithoutLogs = ({ logs, passedOver }: LogPolicy): boolean =>
  logs.length === 0 && passedOver.every(({ role }) => role !== 'log')

/** Whether the quorum is reached where every witness cosigns that can be verified here. */
export const canBeMet = (policy: LogPolicy): boolean => reachedBy(policy, policy.witnesses).has(policy.quorum)

/** Names of the witnesses, and of the groups that they satisfy. */
function reachedBy({ groups }: LogPolicy, witnesses: readonly Pick<PolicyWitness, 'name'>[]): ReadonlySet<string> {
  const reached = new Set([NO_WITNESSES, ...witnesses.map(({ name }) => name)])
  for (const { name, threshold, members } of groups)
    if (members.filter((member) => reached.has(member)).length >= threshold) reached.add(name)
  return reached
}

/**
 * Whether any two sets of witnesses that satisfy the quorum have one in common, of the witnesses that can be verified here.
 * Where they need not, the operator of a log can show one tree to some and another tree to others.
 */
export function quorumsIntersect(policy: LogPolicy): boolean {
  const { groups, quorum } = policy
  const counting = reachedBy(policy, policy.witnesses)
  // A name is a member once at most, so that members of a group share no witnesses.
  const apart = new Set([NO_WITNESSES])
  for (const { name, threshold, members: named } of groups) {
    const members = named.filter((member) => counting.has(member))
    // Such members count for both sets, the others for one of them.
    const both = members.filter((member) => apart.has(member)).length
    if (2 * Math.max(0, threshold - both) <= members.length - both) apart.add(name)
  }
  return !apart.has(quorum)
}
