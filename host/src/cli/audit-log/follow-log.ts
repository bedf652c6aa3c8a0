import { dirname, join, normalize } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { LogAudit } from '@signed-registry/core'
import { plain } from '@signed-registry/verifier/command'
import type { LogPolicy, OpenCheckpoint } from '@signed-registry/verifier/log'
import { UsageError } from '../console.js'
import { AuditDatabase } from './audit-database.js'
import type { AuditReport } from './audit-report.js'
import { type AuditState, keepState, readState, stateFile } from './audit-state.js'
import { type CheckpointKeys, keysFor, keysIn, openedBy, presentKeys } from './checkpoint-keys.js'
import { continuityOf } from './continuity.js'
import { otherLogs, tellEarlierLogs } from './earlier-logs.js'
import type { FoundLog } from './find-log.js'
import { judgePolicy } from './judge-policy.js'
import { OtherLogs } from './other-logs.js'
import { readEntries } from './read-entries.js'
import { short } from './short-text.js'
import { tellContinuity } from './tell-continuity.js'

/** What a log is followed by. */
export interface FollowOptions {
  /** File of what is kept between audits. */
  readonly file: string
  /** Verifier key that the auditor knows. */
  readonly key?: string | undefined
  readonly policy?: LogPolicy | undefined
  /** The registry's database, to compare with. */
  readonly audit?: LogAudit | undefined
}

const SOURCES = {
  given: 'as given',
  kept: 'as kept',
  policy: 'as the policy has it',
  told: 'as the registry says',
} as const

/** Follows one log from the checkpoint that was kept to its newest one. */
export class FollowLog {
  /** The file that the auditor names, and the one that keeps this log. */
  private readonly named: string
  private readonly file: string

  constructor(
    private readonly report: AuditReport,
    private readonly log: FoundLog,
    private readonly options: FollowOptions,
  ) {
    this.named = normalize(options.file)
    this.file = fileFor(log.origin, this.named)
  }

  /** Rejects with `LogUnreadable`, with `UsageError`, and as the database does. */
  async run(): Promise<void> {
    const { report, log, file, named } = this
    const before = readState(file)
    const last = await this.follow(before)
    const follows = (last ?? before)?.follows ?? []
    const now = { ...log, ownAddress: log.reader.address, follows, readBefore: before?.readTo ?? 0 }
    tellEarlierLogs(now, otherLogs(named, log.origin), named, report)
  }

  /** Goes on from the kept checkpoint to the newest one; answers what is kept then, `undefined` where it does not go on. */
  private async follow(before: AuditState | undefined): Promise<AuditState | undefined> {
    const { report, log } = this
    const { policy, key: given } = this.options
    const known = keysFor(log.origin, { given, state: before, policy, told: log.toldKey })
    report.say('log', `${log.origin} at ${log.reader.address}`, { origin: log.origin, address: log.reader.address })
    const changed = openedBy(log.note, known.keys) === undefined ? await this.changeKeys(before, known) : undefined
    const [state, keys] = [changed ?? before, { ...known, keys: changed?.keys ?? known.keys }]
    const opened = openedBy(log.note, keys.keys)
    if (opened === undefined) {
      this.tellNotSigned(keys)
      return changed
    }
    const served = opened.checkpoint
    this.tellKey(opened.key, keys)
    const root = Buffer.from(served.root).toString('base64')
    report.say('checkpoint', `${served.size} entries, root ${root}`, { size: served.size, root, note: served.note })
    const counting = [...presentKeys(keys.keys, state), ...keysIn(policy, log.origin)]
    if (!counting.includes(opened.key)) {
      const text = `this checkpoint is signed by ${opened.key} alone, a key that another one had replaced: somebody else may have the former key; ask the operator, and believe nothing of it`
      report.find({ code: 'replacedKey', weight: 'wrong', text })
      await this.continues(state, served)
      judgePolicy(served.note, policy, report)
      return changed
    }
    const kept = await this.goOn(state, keys, served)
    // Whatever a policy makes of it: a fork is found, and the checkpoint is kept.
    judgePolicy(served.note, policy, report)
    return kept === undefined ? changed : this.readOn(kept, served, this.options.audit)
  }

  /**
   * Goes on to the checkpoints by which the key was changed: what a former key signed announces the next one. Answers the state
   * then, `undefined` where none of them leads on.
   */
  private async changeKeys(before: AuditState | undefined, known: CheckpointKeys): Promise<AuditState | undefined> {
    let state: AuditState | undefined
    let reached = before?.readTo ?? 0
    for (const note of this.log.keyChanges) {
      const keys = { ...known, keys: state?.keys ?? known.keys }
      const change = openedBy(note, presentKeys(keys.keys, state ?? before))?.checkpoint
      if (change === undefined || change.size <= reached) continue
      const next = await this.report.keyChange(async () => {
        this.report.say('key change', `the checkpoint of ${change.size} entries`, { size: change.size })
        const kept = await this.goOn(state ?? before, keys, change)
        return kept && this.readOn(kept, change)
      })
      if (next === undefined) return state
      state = next
      reached = change.size
    }
    return state
  }

  /** Goes on from the kept checkpoint to another one, and keeps that; `undefined` where it does not go on. */
  private async goOn(
    state: AuditState | undefined,
    { keys, isTold }: CheckpointKeys,
    served: OpenCheckpoint,
  ): Promise<AuditState | undefined> {
    const before = await this.goesOn(state, served)
    if (before === undefined) return undefined
    const { origin, note } = served
    const { readTo = 0, follows = [], beforeLog, comparedTo } = before
    const addresses = [...new Set([...(before.addresses ?? []), this.log.address, this.log.reader.address])]
    // Another audit may have read of a further key meanwhile.
    const known = before.keys ?? []
    const all = keys.every((key) => known.includes(key)) ? known : keys
    const kept = { origin, addresses, keys: all, isKeyTold: isTold, note, readTo, follows, beforeLog, comparedTo }
    // Kept before anything else is read: what a log has signed once it cannot take back.
    await keepState(this.file, kept)
    return kept
  }

  /**
   * What is kept now, where a checkpoint goes on from what was kept, and from what another audit keeps while that is compared;
   * `undefined` where it does not.
   */
  private async goesOn(
    before: AuditState | undefined,
    served: OpenCheckpoint,
  ): Promise<Partial<AuditState> | undefined> {
    if (!(await this.continues(before, served))) return undefined
    for (let state = before; ; ) {
      const now = readState(this.file)
      if (now?.note === state?.note) return now ?? {}
      if (!(await this.continues(now, served, 'meanwhile'))) return undefined
      state = now
    }
  }

  /** Reads the entries up to the kept checkpoint, and keeps what they say. */
  private async readOn(kept: AuditState, served: OpenCheckpoint, audit?: LogAudit): Promise<AuditState> {
    const { file, report, log } = this
    const compared = otherLogs(this.named, log.origin).map(
      ({ state }) => [state.origin, state.comparedTo ?? 0] as const,
    )
    const comparison = audit && (await AuditDatabase.of(audit, log.origin, new OtherLogs(new Map(compared)), report))
    const read = { ...kept, ...(await readEntries(log.reader, kept, served, comparison, report)) }
    if (isDeepStrictEqual(readState(file), kept)) await keepState(file, read)
    else {
      const text = `another audit has written ${file} while this one read entries: what that one kept stays`
      report.find({ code: 'keptMeanwhile', weight: 'notice', text })
    }
    return read
  }

  private tellKey(key: string, { keys, source, isTold }: CheckpointKeys): void {
    this.report.say('key', `${key} (${SOURCES[source]})`, { verifierKey: key, source, isTold })
    const newest = keys.at(-1) ?? key
    if (key !== newest && !keysIn(this.options.policy, this.log.origin).includes(newest)) {
      const text = `an entry of the log announces the newer key ${newest}, which did not sign this checkpoint: ask the operator if it stays so`
      this.report.find({ code: 'olderKey', weight: 'notice', text })
    }
    if (isTold) {
      const when = source === 'told' ? 'the key was' : 'the first key was once'
      const text = `${when} TAKEN FROM THE REGISTRY ITSELF: compare it with the key that the operator publishes elsewhere or that others have, and give it by --key`
      this.report.find({ code: 'keyTold', weight: 'notice', text })
    }
  }

  private tellNotSigned({ keys }: CheckpointKeys): void {
    const { toldKey } = this.log
    const hint =
      toldKey === undefined || keys.includes(toldKey)
        ? 'ask the operator'
        : `the registry names the key ${short(toldKey)}, which no entry that was proved announces: if the operator confirms it by another way, give it by --key`
    const text = `the newest checkpoint is not signed by a key of this log (${keys.join(', ')}), and nothing of it is proved: ${hint}`
    this.report.find({ code: 'notSigned', weight: 'wrong', text })
  }

  /** Whether the served checkpoint goes on from the kept one. */
  private async continues(
    state: AuditState | undefined,
    served: OpenCheckpoint,
    since?: 'meanwhile',
  ): Promise<boolean> {
    const { file } = this
    const kept = state && openedBy(state.note, state.keys)?.checkpoint
    if (state !== undefined && kept === undefined)
      throw new Error(`${file} holds a checkpoint that its keys did not sign: take it from a backup, or move it away`)
    const continuity = await continuityOf(kept, served, this.log.reader)
    if (since !== undefined && continuity.state === 'rolledBack') {
      const text = `another audit has gone on to ${kept?.size} entries of the same tree meanwhile: what that one keeps in ${file} stays`
      this.report.find({ code: 'keptMeanwhile', weight: 'notice', text })
      return false
    }
    tellContinuity({ kept, served, continuity }, file, this.report)
    return continuity.state === 'first' || continuity.state === 'same' || continuity.state === 'grown'
  }
}

/** Where a log is kept: in the named file, or beside it where that keeps another one, which is not given up for this one. */
function fileFor(origin: string, named: string): string {
  const keeps = (file: string) => readState(file)?.origin ?? origin
  const file = keeps(named) === origin ? named : join(dirname(named), stateFile(origin))
  if (keeps(file) !== origin)
    throw new UsageError(
      plain(`${file} is about the log ${keeps(file)}, and this one is ${origin}: name another --state`),
    )
  return file
}
