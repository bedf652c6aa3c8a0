import { type CheckedSignature, isProblem } from '@signed-registry/client'
import { toBase64 } from './bytes.js'
import { make, progressBar, say } from './dom.js'
import { ALGORITHMS, hashesOf } from './hash.js'
import { judgeOver } from './judge-over.js'
import { LARGEST_PDF, type PdfSignature, signaturesInPdf } from './pdf-signatures.js'
import { registeredDocuments } from './registered-documents.js'
import { texts } from './texts.js'
import { type Conclusion, conclusionOf, judgedSignature, LOOKS, worstOf } from './verdict.js'
import { verdictTexts } from './verdict-texts.js'

/** As many as are asked about. */
const MOST = 16

interface Judged {
  readonly signature: PdfSignature
  readonly verdict: CheckedSignature | undefined
}

/**
 * Says of the signatures inside a PDF what they prove; only they and hashes leave the computer. Answers false for a PDF
 * that has none.
 */
export async function checkPdf(place: HTMLElement, file: File): Promise<boolean> {
  if (file.size > LARGEST_PDF) return false
  const signatures = signaturesInPdf(file, new Uint8Array(await file.arrayBuffer()))
  if (signatures.length === 0) return false
  const judged: Judged[] = []
  for (const signature of signatures.slice(0, MOST)) judged.push({ signature, verdict: await judge(place, signature) })
  const bar = progressBar(texts.hashing)
  say(place, 'busy', make('p', {}, texts.hashing), bar.element)
  const [usual] = ALGORITHMS
  const { found, list } = await registeredDocuments((await hashesOf(file, bar.to, [usual])).map(toBase64))
  const blocks = await Promise.all(judged.map((one, at) => block(one, at + 1, signatures.length)))
  // The last one must be over all of the file: what came after it nobody has signed.
  const isChanged = signatures.at(-1)?.coversFile !== true || signatures.length > MOST
  const conclusion = worstOf(judged.flatMap(({ verdict }) => conclusionsOf(verdict)))
  const isOnlyAdded = isChanged && conclusion === 'valid'
  say(
    place,
    isOnlyAdded ? 'warn' : LOOKS[conclusion],
    make('h2', {}, isOnlyAdded ? verdictTexts.pdfChanged : verdictTexts.pdfTitles[conclusion]),
    make('p', {}, verdictTexts.pdfText),
    ...(found > 0 ? [make('p', {}, texts.registered(found)), list] : [make('p', {}, verdictTexts.pdfNotRegistered)]),
    ...blocks.flat(),
  )
  return true
}

async function judge(place: HTMLElement, { cms, signed }: PdfSignature): Promise<CheckedSignature | undefined> {
  if (cms === undefined) return undefined
  try {
    return await judgeOver(place, toBase64(cms), signed)
  } catch (error) {
    if (isProblem(error, 'signatureNotParsed')) return undefined
    throw error
  }
}

const conclusionsOf = (verdict: CheckedSignature | undefined): Conclusion[] =>
  verdict === undefined ? ['open'] : verdict.signatures.map(conclusionOf)

function block({ signature, verdict }: Judged, number: number, of: number): Promise<HTMLElement[]> {
  const kicker = make('p', { class: 'kicker' }, verdictTexts.number(number, of))
  if (verdict === undefined)
    return Promise.resolve([make('section', { class: 'judged' }, kicker, make('p', {}, verdictTexts.pdfNotJudged))])
  const { coversFile } = signature
  return Promise.all(
    verdict.signatures.map((one) => {
      const title = make('p', {}, make('strong', {}, verdictTexts.titles[conclusionOf(one)]))
      return judgedSignature(one, { above: [kicker, title], coversFile })
    }),
  )
}
