import { EMPTY_ROOT, type OpenCheckpoint } from '@signed-registry/verifier/log'
import type { AuditDatabase } from './audit-database.js'
import type { AuditReport } from './audit-report.js'
import type { AuditState } from './audit-state.js'
import type { LogReader } from './log-reader.js'
import { PublicEntries } from './public-entries.js'
import { ServedEntries } from './served-entries.js'

const ENTRIES_OF_PROGRESS = 65_536
/** Bundles that are not proved before the others are given up. */
const MAX_BROKEN = 16

/** Reads the entries that were not read yet, all of them for a comparison; answers what is kept of them. */
export async function readEntries(
  reader: LogReader,
  state: AuditState,
  { size, root }: OpenCheckpoint,
  comparison: AuditDatabase | undefined,
  report: AuditReport,
): Promise<Pick<AuditState, 'readTo' | 'keys' | 'follows' | 'beforeLog' | 'comparedTo'>> {
  const { readTo } = state
  if (size === 0 && Buffer.compare(root, EMPTY_ROOT) !== 0)
    report.find({
      code: 'rootWrong',
      weight: 'wrong',
      text: 'the root is not that of a tree without entries: ask the operator',
    })
  const served = new ServedEntries({ size, root }, reader)
  const publicEntries = new PublicEntries(state, report)
  const start = comparison === undefined ? readTo : 0
  let [broken, proved, end] = [0, 0, readTo]
  for await (const bundle of served.from(start)) {
    const { first } = bundle
    if (first > start && first % ENTRIES_OF_PROGRESS === 0) report.progress(`${first} of ${size} entries`)
    if ('fault' in bundle) {
      const text = `entries ${first} to ${first + bundle.width - 1} are not proved: ${bundle.fault.text}; audit again, and ask the operator if it stays so`
      report.find({ code: 'entriesUnproved', weight: bundle.fault.weight, index: first, text })
      broken += 1
      if (broken < MAX_BROKEN) continue
      report.find({
        code: 'givenUp',
        weight: 'unread',
        text: 'the entries behind these were not read: too many fail',
      })
      break
    }
    for (const [at, entry] of bundle.entries.entries()) if (first + at >= readTo) publicEntries.take(first + at, entry)
    proved += bundle.entries.length - Math.max(0, start - first)
    if (broken === 0) end = Math.max(end, first + bundle.entries.length)
    await comparison?.compare(first, bundle.entries, served)
  }
  report.say('entries', proved === 0 ? 'none is new' : `${proved} read and proved`, { proved, readTo: end })
  return {
    ...(await compared(comparison, state, size)),
    readTo: end,
    keys: publicEntries.keys,
    follows: publicEntries.follows,
  }
}

/** What is kept of a comparison; without one, what was kept before. */
async function compared(
  comparison: AuditDatabase | undefined,
  { beforeLog, comparedTo }: AuditState,
  size: number,
): Promise<Pick<AuditState, 'beforeLog' | 'comparedTo'>> {
  if (comparison === undefined) return { beforeLog, comparedTo }
  return { beforeLog: await comparison.end(size, beforeLog), comparedTo: comparison.rightTo() }
}
