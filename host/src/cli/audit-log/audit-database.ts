import type { AuditedEntry, LogAudit, UnloggedFact } from '@signed-registry/core'
import { plain } from '@signed-registry/verifier/command'
import { isForgettable } from '@signed-registry/verifier/log'
import { UsageError } from '../console.js'
import type { AuditReport } from './audit-report.js'
import type { BeforeLog } from './audit-state.js'
import type { OtherLogs } from './other-logs.js'
import type { ServedEntries } from './served-entries.js'

type Log = NonNullable<Awaited<ReturnType<LogAudit['entries']['log']>>>

/** Compares a database with the entries that a log serves, as they are read. */
export class AuditDatabase {
  private readonly counts: Record<AuditedEntry['state'], number> = {
    ...{ asLogged: 0, public: 0, forgotten: 0, forgottenElsewhere: 0 },
    ...{ changed: 0, removed: 0, unknown: 0 },
  }
  private firstWrong: number | undefined
  /** Entries below this index were compared, without a gap. */
  private comparedTo = 0

  private constructor(
    private readonly audit: LogAudit,
    private readonly log: Log,
    private readonly others: OtherLogs,
    private readonly report: AuditReport,
  ) {}

  /** The comparison with the log of this origin. */
  static async of(audit: LogAudit, origin: string, others: OtherLogs, report: AuditReport): Promise<AuditDatabase> {
    const log = await audit.entries.log(origin)
    if (log === undefined)
      throw new UsageError(plain(`The database has no log ${origin}: give that of the registry whose log it is`))
    return new AuditDatabase(audit, log, others, report)
  }

  /** Opens consecutive entries. */
  async compare(first: number, entries: readonly Uint8Array[], served: ServedEntries): Promise<void> {
    const compared = await this.audit.entries.compare(this.log, first, entries, (index) => served.at(index))
    if (first === this.comparedTo) this.comparedTo += entries.length
    for (const entry of compared) {
      this.counts[entry.state] += 1
      const isCompared = entry.elsewhere !== undefined && this.others.isCompared(entry.elsewhere)
      const text = isCompared ? undefined : textOf(entry)
      if (text === undefined) continue
      const { index, state: code, ...facts } = entry
      const weight = code === 'forgottenElsewhere' ? 'unread' : 'wrong'
      this.report.find({ code, weight, index, text, facts })
      this.firstWrong ??= index
    }
  }

  /** Up to where all entries are as the database has them. */
  rightTo(): number {
    return Math.min(this.comparedTo, this.firstWrong ?? this.comparedTo)
  }

  /**
   * Looks for what should be logged among the first `size` entries, checks the chain of audit events, and tells the counts.
   * Answers what an audit may be told of the time before the log from now on, by what an earlier one was told.
   */
  async end(size: number, before: BeforeLog | undefined): Promise<BeforeLog> {
    const { counts } = this
    let older = 0
    for await (const fact of this.audit.unlogged.of(this.log, size)) {
      if (fact.elsewhere !== undefined) this.others.count(fact.elsewhere)
      else if (fact.isOlderThanLog) older += 1
      else this.report.find({ code: 'notLogged', weight: 'wrong', text: unlogged(fact), facts: fact })
    }
    this.others.tell(this.report)
    const audit = await this.audit.checkAudit()
    const { broken, sealed } = audit
    if (broken !== undefined)
      this.report.find({
        code: 'auditBroken',
        weight: 'wrong',
        text: `the audit was changed after event ${broken.after}, by event ${broken.upTo} at the latest: compare these events with a backup`,
        facts: broken,
      })
    const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
    this.report.say(
      'database',
      `${total} entries opened: ${counts.asLogged} as logged, ${counts.public} public, ${counts.forgotten + counts.forgottenElsewhere} forgotten, ${counts.changed} changed, ${counts.removed} removed, ${counts.unknown} unknown; ${older} facts of the database are older than the log; ${sealed} audit events are sealed`,
      { ...counts, olderThanLog: older, audit },
    )
    return this.tellBeforeLog({ startedAt: this.log.startedAt, facts: older }, before)
  }

  /** What is older than the log is the word of the operator: after the first time it can only become less. */
  private tellBeforeLog(now: BeforeLog, before: BeforeLog | undefined): BeforeLog {
    if (before === undefined) {
      const text = `${now.facts} signatures and hashes are said to be older than the log, which proves nothing of them: ask the operator whether there were that many`
      if (now.facts > 0) this.report.find({ code: 'olderThanLog', weight: 'notice', text, facts: now })
      return now
    }
    const [then, today] = [before, now].map(({ startedAt }) => new Date(startedAt).toISOString())
    if (now.startedAt !== before.startedAt) {
      const text = `the database says that the log began at ${today}, and said ${then} before: find out who changed it`
      this.report.find({ code: 'startMoved', weight: 'wrong', text, facts: { now, before } })
    }
    if (now.facts > before.facts) {
      const text = `${now.facts} signatures and hashes are said to be older than the log, and were ${before.facts} before: ${now.facts - before.facts} were stored without an entry and dated back; compare them with a backup`
      this.report.find({ code: 'olderGrew', weight: 'wrong', text, facts: { now, before } })
    }
    return { startedAt: before.startedAt, facts: Math.min(now.facts, before.facts) }
  }
}

/** What is wrong with an entry, and what to do; `undefined` where nothing is. */
function textOf({ index, state, kind, ref, documentId, elsewhere }: AuditedEntry): string | undefined {
  const name = `entry ${index}${ref === undefined ? '' : `: ${nameOf(kind, ref)}`}${documentId === undefined || documentId === ref ? '' : ` of document ${documentId}`}`
  if (state === 'changed' && kind === 'seal')
    return `${name} is not the one that was logged: the chain of audit events was computed again; compare them with a backup`
  if (state === 'changed')
    return `${name} is not as it was logged: compare it with a backup, and find out who changed it`
  if (state === 'removed' && kind !== undefined && !isForgettable(kind))
    return `${name} is gone, or what opens its entry, and nothing of its kind is ever forgotten: look for it in a backup`
  if (state === 'removed')
    return `${name} is gone, or what opens its entry, and the log does not say that it was forgotten: look for it in a backup; if it was forgotten just now, audit again in ten minutes`
  if (state === 'forgottenElsewhere')
    return `${name} was forgotten, by entry ${elsewhere?.index} of ${elsewhere?.origin}: audit that log with the same database, which proves it`
  if (state === 'unknown')
    return `${name} is of a kind that this program cannot compare: audit with the version of the registry`
  return undefined
}

function unlogged({ kind, ref, at }: UnloggedFact): string {
  return `${nameOf(kind, ref)}, stored ${timeOf(at)}, is in no entry: find out why the registry did not log it, or who stored it`
}

/** The database may hold anything for a time. */
const timeOf = (ms: number): string =>
  Number.isNaN(new Date(ms).getTime()) ? 'at no time that is one' : `at ${new Date(ms).toISOString()}`

const NAMES: Readonly<Record<string, string>> = {
  signature: 'signature',
  digests: 'hashes of document',
  seal: 'seal of audit events up to',
  delivery: 'delivery of item',
  decision: 'decision on item',
  recall: 'recall of item',
  settings: 'change of settings',
  public: 'public entry',
}

const nameOf = (kind: string | undefined, ref: string): string => `${NAMES[kind ?? ''] ?? 'fact'} ${ref}`
