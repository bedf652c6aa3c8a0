import { backlogs } from './log-backlog.js'
import { costs } from './log-cost.js'
import { delays } from './log-delay.js'

const ENTRIES = 200_000

/** What the log costs. Argument: entries of the backlog, such as `log=10000000`. */
export async function run(entries = `${ENTRIES}`): Promise<void> {
  await costs()
  await delays()
  await backlogs(Number(entries))
}
