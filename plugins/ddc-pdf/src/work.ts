import { bitmapPng, qrBitmap } from '@signed-registry/core/qr'
import { readAttachments } from './attachments.js'
import { buildCard } from './build-card.js'
import { comparePages } from './compare-pages.js'
import type { Done, Job } from './job.js'
import { ofThePdf, openPdf, PdfFault } from './open-pdf.js'
import { recipeIn } from './recipe.js'
import { splitSignature } from './split-signature.js'
import { unpackAtMost, unpackedTooMuch } from './unpack-limit.js'

/** Characters; some libraries repeat what they could not read. */
const MAX_PROBLEM_LENGTH = 1000

/** Does one job; what is at fault is told by name. Whatever a PDF does here, the host stays as it is. */
export async function work(job: Job): Promise<Done> {
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
