import type { OpenCheckpoint } from '@signed-registry/verifier/log'
import type { AuditReport } from './audit-report.js'
import type { Continuity } from './continuity.js'
import { keepFork } from './fork-evidence.js'

/** Two checkpoints of a log, and how the served one goes on from the kept one. */
export interface ComparedCheckpoints {
  /** `undefined` where the log is seen for the first time. */
  readonly kept: OpenCheckpoint | undefined
  readonly served: OpenCheckpoint
  readonly continuity: Continuity
}

/** Tells whether a log only grows; keeps both checkpoints as evidence, beside the file of the state, where it may not. */
export function tellContinuity(
  { kept, served, continuity }: ComparedCheckpoints,
  file: string,
  report: AuditReport,
): void {
  if (kept === undefined) {
    const text = `no checkpoint of this log was kept in ${file}: what happened before is not known; keep that file for the next audit`
    report.find({ code: 'firstSight', weight: 'notice', text })
    return
  }
  const both = `the checkpoint of ${served.size} entries and the one of ${kept.size} entries that was kept`
  switch (continuity.state) {
    case 'fork': {
      const evidence = keepFork(file, { kept, served, proof: continuity.proof }, new Date())
      const text = `FORK: ${both} are of two trees, and the log has signed both: ${evidence} proves it to others; show it to them, and believe neither`
      report.find({ code: 'fork', weight: 'wrong', text, facts: { evidence } })
      return
    }
    case 'rolledBack': {
      const text = `ROLLED BACK: the log serves a checkpoint of ${served.size} entries, an earlier one than that of ${kept.size} entries which was kept: ask the operator whether a backup was restored, and audit again`
      report.find({ code: 'rolledBack', weight: 'wrong', text })
      return
    }
    case 'unproved': {
      const { fault } = continuity
      if (served.size > kept.size) {
        const text = `it is not proved that ${both} are of one tree: ${fault.text}; audit again, and ask the operator if it stays so`
        report.find({ code: 'unproved', weight: fault.weight, text })
        return
      }
      const evidence = keepFork(file, { kept, served }, new Date())
      const text = `ROLLED BACK or FORK: the log has signed ${both}, and does not serve what would tell which (${fault.text}): ${evidence} has both; ask the operator whether a backup was restored, and show it to others`
      report.find({ code: 'rolledBackUnproved', weight: 'wrong', text, facts: { evidence } })
      return
    }
    default:
      report.say('continues', `the checkpoint of ${kept.size} entries that was kept`, { size: kept.size })
  }
}
