import { bitmapPng, qrBitmap } from '@signed-registry/core/qr'
import { readAttachments } from './attachments.js'
import { buildCard } from './build-card.js'
import { comparePages } from './compare-pages.js'
import type { Job, JobResult, WorkerMessage } from './job.js'
import { encodeMessage, MessageReader } from './messages.js'
import { openPdf, PdfFault, withPdfFaults } from './open-pdf.js'
import { recipeIn } from './recipe.js'
import { splitSignature } from './split-signature.js'
import { limitUnpacking, unpackLimitExceeded } from './unpack-limit.js'

/** Characters; some error messages quote the input. */
const MAX_PROBLEM_LENGTH = 1000

/** Runs one job; never throws, a fault is returned by name. */
async function runJob(job: Job): Promise<JobResult> {
  try {
    limitUnpacking(job.do === 'codes' ? 0 : job.bounds.maxUnpacked)
    return await perform(job)
  } catch (error) {
    const problem = (error instanceof Error ? error.message : String(error)).slice(0, MAX_PROBLEM_LENGTH)
    if (unpackLimitExceeded() || /allocation failed|invalid array length/i.test(problem))
      return { fault: 'tooLarge', problem }
    return { fault: error instanceof PdfFault ? error.fault : 'failed', problem }
  }
}

async function perform(job: Job): Promise<JobResult> {
  switch (job.do) {
    case 'build':
      return { files: [{ name: 'card', bytes: await buildCard(job.card, job.bounds) }] }
    case 'parse': {
      const pdf = await openPdf(job.card, job.bounds)
      return { files: await withPdfFaults(() => readAttachments(pdf, job)) }
    }
    case 'recipe': {
      const pdf = await openPdf(job.card, job.bounds)
      return { recipe: await withPdfFaults(() => recipeIn(pdf)) }
    }
    case 'compare': {
      const pdf = await openPdf(job.card, job.bounds)
      return { pages: await withPdfFaults(() => comparePages(pdf, job)) }
    }
    case 'codes': {
      const { signature } = job
      const codes = splitSignature(signature, signature.version, signature.level)
      const image = (code: string) => bitmapPng(qrBitmap(code, signature.level, signature.version))
      return { files: codes.map((code, n) => ({ name: `${n + 1}.png`, bytes: image(code) })) }
    }
  }
}

/*
 * The worker process: takes jobs from standard input one by one, answers on standard output, and exits when its input ends,
 * as it does with the host. Beyond the CPU milliseconds and octets of memory in its arguments it reports that it is spent, and
 * the host replaces it.
 */
const [processorMs, memory] = process.argv.slice(2).map(Number)

// A PDF can make pdf-lib throw a million times; stack traces, which nobody reads, would dominate the cost.
Error.stackTraceLimit = 0

const isSpent = (): boolean => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000 > (processorMs ?? 0) || process.memoryUsage.rss() > (memory ?? 0)
}
const send = (message: WorkerMessage): void => {
  for (const piece of encodeMessage(message)) process.stdout.write(piece)
}
/** The host is trusted. */
const UNBOUNDED = { octets: Number.POSITIVE_INFINITY, text: Number.POSITIVE_INFINITY }
const isJob = (read: unknown): read is Job => typeof read === 'object' && read !== null && 'do' in read

const jobs = new MessageReader(process.stdin, UNBOUNDED, isJob)
send('ready')
for (let job = await jobs.next(); job !== undefined; job = await jobs.next()) {
  const done = await runJob(job)
  send({ done, isSpent: isSpent() })
}
