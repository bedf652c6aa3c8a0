import { bitmapPng, qrBitmap } from '@signed-registry/core/qr'
import { readAttachments } from './attachments.js'
import { buildCard } from './build-card.js'
import { comparePages } from './compare-pages.js'
import type { Done, FromProcess, Job } from './job.js'
import { Frames, framed } from './messages.js'
import { ofThePdf, openPdf, PdfFault } from './open-pdf.js'
import { recipeIn } from './recipe.js'
import { splitSignature } from './split-signature.js'
import { unpackAtMost, unpackedTooMuch } from './unpack-limit.js'

/** Characters; some libraries repeat what they could not read. */
const MAX_PROBLEM_LENGTH = 1000

/** Does one job; what is at fault is told by name. Whatever a PDF does here, the host stays as it is. */
async function work(job: Job): Promise<Done> {
  try {
    unpackAtMost(job.do === 'codes' ? 0 : job.bounds.maxUnpacked)
    return await doing(job)
  } catch (error) {
    const problem = (error instanceof Error ? error.message : String(error)).slice(0, MAX_PROBLEM_LENGTH)
    if (unpackedTooMuch() || /allocation failed|invalid array length/i.test(problem))
      return { fault: 'tooLarge', problem }
    return { fault: error instanceof PdfFault ? error.fault : 'failed', problem }
  }
}

async function doing(job: Job): Promise<Done> {
  switch (job.do) {
    case 'build':
      return { files: [{ name: 'card', bytes: await buildCard(job.card, job.bounds) }] }
    case 'parse': {
      const pdf = await openPdf(job.card, job.bounds)
      return { files: await ofThePdf(() => readAttachments(pdf, job)) }
    }
    case 'recipe': {
      const pdf = await openPdf(job.card, job.bounds)
      return { recipe: await ofThePdf(() => recipeIn(pdf)) }
    }
    case 'compare': {
      const pdf = await openPdf(job.card, job.bounds)
      return { pages: await ofThePdf(() => comparePages(pdf, job)) }
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
