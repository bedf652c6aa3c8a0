import type { FromProcess, Job } from './job.js'
import { Frames, framed } from './messages.js'
import { work } from './work.js'

/*
 * The process that reads PDFs: takes jobs from standard input, one after the other, answers on standard output, and ends with
 * its input, which ends with the host. It is told when it has done enough: after so many milliseconds of the processor, or
 * with so many octets of memory, it says that it is spent, and another takes its place.
 */
const [processorMs, memory] = process.argv.slice(2).map(Number)

// What PDFs make pdf-lib throw may be thrown a million times, and nobody reads where.
Error.stackTraceLimit = 0

const isSpent = (): boolean => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 > (processorMs ?? 0) || process.memoryUsage.rss() > (memory ?? 0)
}
const say = (message: FromProcess): void => {
  for (const piece of framed(message)) process.stdout.write(piece)
}
/** The host sends nothing else, and nothing that is too large. */
const UNBOUNDED = { octets: Number.POSITIVE_INFINITY, text: Number.POSITIVE_INFINITY }
const isJob = (read: unknown): read is Job => typeof read === 'object' && read !== null && 'do' in read

const jobs = new Frames(process.stdin, UNBOUNDED, isJob)
say('ready')
for (let job = await jobs.next(); job !== undefined; job = await jobs.next()) {
  const done = await work(job)
  say({ done, isSpent: isSpent() })
}
