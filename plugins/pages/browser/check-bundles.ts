import { Told } from './api.js'
import { shownFiles } from './check-signed-files.js'
import { make } from './dom.js'
import { LARGEST_CARD } from './dropped-files.js'
import { documentsOf, type JudgedBundle, type JudgedBundles, judgeBundles } from './evidence/judge-bundles.js'
import type { EvidenceAnswer } from './evidence/question.js'
import { BUNDLE_LOOKS, bundleBody, savingReport } from './evidence/show-bundle.js'
import { isContainer } from './files/may-be-signed.js'
import { onceIdle } from './once-idle.js'
import { documentList, registeredDocuments } from './registered-documents.js'
import { registryTrust } from './registry-trust.js'
import type { Part } from './results.js'
import { signatureIn } from './signature-file.js'
import { reportLanguage, texts } from './texts.js'
import { verdictTexts } from './verdict-texts.js'
import { verifier } from './verifier.js'

/** Loads what bundles and signed files are judged by once the page is at rest: they can be checked then with the network off. */
export function prepareVerifier(): void {
  onceIdle(() => {
    verifier.start()
    // Asked again when it is needed.
    registryTrust().catch(() => undefined)
    shownFiles().catch(() => undefined)
  })
}

/** Judges the bundles among files in this browser, as the registry that gave out the page trusts. */
export const checkBundles = (files: readonly File[], signal: AbortSignal): Promise<JudgedBundles> =>
  judgeBundles(files, { ask: (file, beside) => ask(file, beside, signal), isSigned })

async function ask(file: File, beside: readonly File[], signal: AbortSignal): Promise<EvidenceAnswer> {
  return verifier.ask({ file, beside, trust: await registryTrust(), language: reportLanguage }, signal)
}

/** Whether it is judged by itself: a signature, a card, a container, or a PDF with signatures. */
async function isSigned(file: File): Promise<boolean> {
  if ((await signatureIn(file)) !== undefined) return true
  const start = await file.slice(0, 5).text()
  if (start.startsWith('PK')) return isContainer(file)
  return file.size <= LARGEST_CARD && start === '%PDF-' && /\/EmbeddedFile|\/ByteRange/.test(await file.text())
}

/** The result for a bundle with its documents. */
export async function bundlePart({ file, beside, answer }: JudgedBundle): Promise<Part> {
  if ('refused' in answer) throw new Told(answer.refused === 'unreadable' ? texts.unreadable : verdictTexts.notChecked)
  const { verdict } = answer
  const { bundle } = verdict
  if (bundle === undefined) throw new Told(texts.unreadable)
  const { withoutCrls } = await registryTrust()
  const registered = make('div')
  void lookUp(registered, bundle.digests)
  return {
    names: [file, ...beside].map(({ name }) => name).join(', '),
    look: BUNDLE_LOOKS[verdict.outcome],
    title: bundle.says,
    body: [
      withoutCrls ? make('p', { class: 'note' }, verdictTexts.withoutCrls) : undefined,
      ...bundleBody({ ...verdict, bundle }),
      registered,
      savingReport(verdict),
    ],
  }
}

/** Most hashes in one request. */
const MAX_DIGESTS = 16

/** Shows which of the documents are registered here; nothing where the registry cannot be asked. */
async function lookUp(place: HTMLElement, digests: readonly string[]): Promise<void> {
  const found = await registeredDocuments(digests.slice(0, MAX_DIGESTS)).catch(() => [])
  if (found.length > 0) place.replaceChildren(make('p', {}, verdictTexts.registeredHere), documentList(found))
}

/** The bundles that still wait for a document, with the documents that they have. */
export const openBundles = (bundles: readonly JudgedBundle[]): File[] =>
  bundles.flatMap((one) => {
    const bundle = 'verdict' in one.answer ? one.answer.verdict.bundle : undefined
    const isOpen = bundle?.documents.some(({ original }) => original === 'notShown') === true
    return isOpen ? [one.file, ...documentsOf(one)] : []
  })
