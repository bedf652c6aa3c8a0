import { Told } from './api.js'
import { make } from './dom.js'
import { mayBeSigned } from './files/may-be-signed.js'
import type { ShownFile, SignedFileAnswer, SignedFileQuestion } from './files/shown-file.js'
import { type GivenFile, named } from './named-files.js'
import { documentList, registeredDocuments } from './registered-documents.js'
import { registryTrust } from './registry-trust.js'
import type { Part } from './results.js'
import { reportLanguage, texts } from './texts.js'
import { verdictTexts } from './verdict-texts.js'
import { verifier } from './verifier.js'

/** A file that was judged by the signatures in it, or that cannot be read though it is signed. */
export interface JudgedFile extends GivenFile {
  readonly answer: Extract<SignedFileAnswer, { readonly file: unknown } | { readonly notRead: unknown }>
}

/** Judges the signed files among others in this browser, as the registry that gave out the page trusts. */
export async function checkSignedFiles(files: readonly File[], signal: AbortSignal): Promise<readonly JudgedFile[]> {
  const judged: JudgedFile[] = []
  for (const given of named(files)) {
    const { file } = given
    if (!(await mayBeSigned(file))) continue
    const question: SignedFileQuestion = { signedFile: file, trust: await registryTrust(), language: reportLanguage }
    const answer = await verifier.askAboutFile(question, signal)
    if ('refused' in answer)
      throw new Told(answer.refused === 'unreadable' ? texts.unreadable : verdictTexts.notChecked)
    if (!('unsigned' in answer)) judged.push({ ...given, answer })
  }
  return judged
}

/** The result for a signed file. */
export async function signedFilePart({ name, file, answer }: JudgedFile): Promise<Part> {
  const { keptSays, notReadFile, signedFile } = await shownFiles()
  const registered = make('div')
  if ('notRead' in answer) {
    void lookUp(registered, answer.notRead.digests)
    return { names: name, about: name, ...notReadFile(answer.notRead, registered) }
  }
  void lookUp(registered, answer.file.digests, answer.file.outcome === 'unknown' ? keptSays(answer.file) : undefined)
  const { withoutCrls } = await registryTrust()
  const { body, ...said } = signedFile(file, answer.file)
  const registering = await registeringOf(file, answer.file)
  const note = withoutCrls ? make('p', { class: 'note' }, verdictTexts.withoutCrls) : undefined
  return { names: name, about: name, ...said, body: [note, registered, ...body, registering] }
}

/** Nothing is registered without a network, which brings what does it. */
async function registeringOf(file: File, shown: ShownFile): Promise<HTMLElement | undefined> {
  const loaded = await import('./files/register-file.js').catch(() => undefined)
  return loaded?.mayBeRegistered(shown) ? loaded.registerFile(file, shown) : undefined
}

/** Loads what shows them, which is there then without a network. */
export const shownFiles = (): Promise<typeof import('./files/show-file.js')> => import('./files/show-file.js')

/** Most hashes in one request. */
const MAX_DIGESTS = 16

/** Shows what of it is registered here; nothing where the registry cannot be asked. */
async function lookUp(place: HTMLElement, digests: readonly string[], note?: HTMLElement): Promise<void> {
  const found = await registeredDocuments(digests.slice(0, MAX_DIGESTS)).catch(() => [])
  if (found.length > 0) place.append(make('p', {}, verdictTexts.registeredHere), documentList(found), note ?? '')
}
