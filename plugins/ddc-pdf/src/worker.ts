import { bitmapPng, qrBitmap } from '@signed-registry/core/qr'
import { readAttachments } from './attachments.js'
import { buildCard } from './build-card.js'
import { comparePages } from './compare-pages.js'
import type { Done, Job } from './job.js'
import { openPdf, PdfFault } from './open-pdf.js'
import { recipeIn } from './recipe.js'
import { splitSignature } from './signature-codes.js'
import { unpackAtMost, unpackedTooMuch } from './unpacking.js'

/** Pages of a card that is read are not looked at; their number is bounded all the same. */
const MAX_PAGES_READ = 20_000

/** Runs in a thread of its own: whatever a PDF does here, the host stays as it is. */
export default async function work(job: Job): Promise<Done> {
  try {
    if (job.do !== 'codes') unpackAtMost(job.maxUnpacked)
    switch (job.do) {
      case 'build':
        return { files: [{ name: 'card', bytes: await buildCard(job.card, job.maxPages) }] }
      case 'parse':
        return { files: readAttachments(await openPdf(job.card, MAX_PAGES_READ), job) }
      case 'recipe':
        return { recipe: recipeIn(await openPdf(job.card, MAX_PAGES_READ)) }
      case 'compare':
        return { pages: await comparePages(await openPdf(job.card, MAX_PAGES_READ), job) }
      case 'codes': {
        const { signature } = job
        const codes = splitSignature(signature, signature.version, signature.level)
        const image = (code: string) => bitmapPng(qrBitmap(code, signature.level, signature.version))
        return { files: codes.map((code, n) => ({ name: `${n + 1}.png`, bytes: image(code) })) }
      }
    }
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    if (unpackedTooMuch()) return { fault: 'tooLarge', problem }
    return { fault: error instanceof PdfFault ? error.fault : 'broken', problem }
  }
}
