import type { EntryOfLog } from '@signed-registry/core'
import type { AuditReport } from './audit-report.js'

/** Facts of a database that another log has, by its word. */
interface Counts {
  /** In entries that were compared with the database when that log was audited. */
  compared: number
  others: number
}

/** What a database says of other logs of its registry: its word alone until each was compared with it, too. */
export class OtherLogs {
  private readonly counts = new Map<string, Counts>()

  /** `comparedTo` has the index up to which each was compared, by its origin. */
  constructor(private readonly comparedTo: ReadonlyMap<string, number>) {}

  isCompared({ origin, index }: EntryOfLog): boolean {
    return index < (this.comparedTo.get(origin) ?? 0)
  }

  /** Counts a fact that an entry has. */
  count(entry: EntryOfLog): void {
    const counts = this.counts.get(entry.origin) ?? { compared: 0, others: 0 }
    counts[this.isCompared(entry) ? 'compared' : 'others'] += 1
    this.counts.set(entry.origin, counts)
  }

  tell(report: AuditReport): void {
    for (const [origin, { compared, others }] of this.counts) {
      if (others > 0) {
        const text = `${others} facts of the database are in the log ${origin}, as the database says: audit that log with the same database and this folder of --state, then this one again, which proves it`
        report.find({ code: 'loggedElsewhere', weight: 'unread', text, facts: { origin, facts: others } })
      }
      if (compared > 0) {
        const text = `${compared} facts of the database are in the log ${origin}, as its last audit with the database found: audit that log again whenever you audit this one`
        report.find({ code: 'provedElsewhere', weight: 'notice', text, facts: { origin, facts: compared } })
      }
    }
  }
}
