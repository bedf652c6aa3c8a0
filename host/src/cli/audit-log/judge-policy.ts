import { readFileSync } from 'node:fs'
import { RegistryError } from '@signed-registry/core'
import { readOf } from '@signed-registry/verifier/command'
import {
  canBeMet,
  isWithoutLogs,
  type LogPolicy,
  NO_WITNESSES,
  policyVerdict,
  quorumsIntersect,
  readLogPolicy,
} from '@signed-registry/verifier/log'
import { UsageError } from '../console.js'
import type { AuditReport } from './audit-report.js'

/** Reads a policy (C2SP tlog-policy); a mistake in it is told by its line. */
export function policyAt(file: string): LogPolicy {
  const text = readOf(file, () => readFileSync(file, 'utf8'))
  try {
    return readLogPolicy(text)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    const { reason, line } = error.details ?? {}
    throw new UsageError(`${file} is no policy: line ${String(line)} (${String(reason)})`)
  }
}

/** Tells whether enough witnesses saw a checkpoint. */
export function judgePolicy(note: string, policy: LogPolicy | undefined, report: AuditReport): void {
  if (policy === undefined) {
    report.find({
      code: 'policyMissing',
      weight: 'notice',
      text: 'no policy says which witnesses must have seen the checkpoint, so that the operator can show you another log than others: give --policy FILE, or compare the root with theirs',
    })
    return
  }
  try {
    tellVerdict(policyVerdict(note, policy), policy, report)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    const by = error.details?.key
    report.find({
      code: 'cosignatureWrong',
      weight: 'wrong',
      text: `a signature of the policy's ${String(by ?? 'witnesses')} on the checkpoint is wrong: ask the operator of the log and that witness`,
    })
  }
}

function tellVerdict(
  { log, witnesses, quorum }: ReturnType<typeof policyVerdict>,
  policy: LogPolicy,
  report: AuditReport,
): void {
  const seen = witnesses.map(({ name, time }) => ({ name, at: new Date(time * 1000).toISOString() }))
  if (seen.length > 0) report.say('witnesses', seen.map(({ name, at }) => `${name} at ${at}`).join(', '), seen)
  // A policy without logs leaves them to the key that is compared above.
  if (log === undefined && !isWithoutLogs(policy))
    report.find({
      code: 'keyNotInPolicy',
      weight: 'wrong',
      text: 'the policy has no key that signed this checkpoint: compare the key above with the operator by another way, then add it to the policy',
    })
  const unknown = policy.passedOver.map(({ role, name }) => `${role} ${name}`)
  if (unknown.length > 0)
    report.find({
      code: 'keysPassedOver',
      weight: 'notice',
      text: `the policy has keys of types not known here, which never count: ${unknown.join(', ')}`,
    })
  if (!canBeMet(policy))
    report.find({
      code: 'quorumImpossible',
      weight: 'wrong',
      text: 'the quorum of the policy cannot be met by the witnesses whose keys can be used here: name others, or audit with a newer program',
    })
  else if (!quorum)
    report.find({
      code: 'quorumMissing',
      weight: 'wrong',
      text: 'too few witnesses of the policy have cosigned the checkpoint: audit again later; if it stays so, ask the operator and the witnesses',
    })
  else if (policy.quorum === NO_WITNESSES)
    report.find({
      code: 'noWitnesses',
      weight: 'notice',
      text: 'the policy asks for no witnesses, so that the operator can show you another log than others: name witnesses in it',
    })
  else if (!quorumsIntersect(policy))
    report.find({
      code: 'quorumsDisjoint',
      weight: 'notice',
      text: 'two sets of witnesses without a common member satisfy the policy, so that the operator can show two logs: raise its thresholds above the half',
    })
}
