import type { CheckedFiles, CheckedSigner } from '@signed-registry/client'
import { checkedSignature } from './checked-signature.js'
import { make, own } from './dom.js'
import type { Given, GivenDocument } from './dropped-files.js'
import { documentList, type FoundDocument, opening, registeredDocuments } from './registered-documents.js'
import { texts } from './texts.js'
import { type Conclusion, conclusionOf, LOOKS, worstOf } from './verdict.js'
import { verdictTexts } from './verdict-texts.js'

/** The result for one or more of the dropped files. */
export interface Part {
  /** Names of the files that it is about. */
  readonly names: string
  /** The document among them, where there is one. */
  readonly about?: string
  /** True when only the registration was looked up. */
  readonly isLookup?: boolean
  readonly look: 'good' | 'plain' | 'warn' | 'bad'
  readonly title: string
  readonly body: readonly (HTMLElement | undefined)[]
}

/** Results for signatures and their documents: each document with its signatures, then the other signatures. */
export async function judgedParts({ documents, signatures }: Given, judged: CheckedFiles): Promise<Part[]> {
  const parts: Part[] = []
  for (const document of documents) {
    const own = judged.signatures.filter(({ over }) => over === document.name)
    if (own.length > 0) parts.push(await signedPart(document, own, judged))
  }
  for (const { name } of signatures) {
    const own = judged.signatures.filter(
      ({ file, over }) => file === name && !documents.some((one) => one.name === over),
    )
    if (own.length > 0) parts.push(await loosePart(name, own))
  }
  return parts
}

/** A document, and the signatures over it. */
async function signedPart(
  document: GivenDocument,
  signers: readonly CheckedSigner[],
  judged: CheckedFiles,
): Promise<Part> {
  const found = judged.documents.find(({ name }) => name === document.name)
  const conclusion = worstOf(signers.map(conclusionOf))
  return {
    about: document.name,
    names: [...new Set([document.name, ...signers.map(({ file }) => file)])].join(', '),
    look: LOOKS[conclusion],
    title: verdictTexts.titles[conclusion],
    body: [...(await about(signers, found?.registered ?? [])), ...(await blocks(signers, conclusion))],
  }
}

/** A signature over none of the documents: its content is attached, in a card, or missing. */
async function loosePart(name: string, signers: readonly CheckedSigner[]): Promise<Part> {
  const conclusion = worstOf(signers.map(conclusionOf))
  const isKnown = conclusion === 'notShown' && signers.every(({ registered }) => registered !== undefined)
  return {
    names: [name, ...new Set(signers.flatMap(({ over }) => over ?? []))].join(', '),
    look: LOOKS[conclusion],
    title: isKnown ? texts.signatureFound : verdictTexts.titles[conclusion],
    body: [
      isKnown ? make('p', {}, verdictTexts.registeredNotShown) : undefined,
      ...(await about(signers, [])),
      ...(await blocks(signers, conclusion)),
    ],
  }
}

/** Links to the registered signatures, or else to their document. */
async function about(signers: readonly CheckedSigner[], known: readonly FoundDocument[]): Promise<HTMLElement[]> {
  if (signers.length === 0) return []
  const registered = signers.find((one) => one.registered !== undefined)?.registered
  if (registered !== undefined) {
    const { documentId, signId, storedAt } = registered
    // Registered signatures were verified already, and are visible to whoever may view the document.
    const text = storedAt === undefined ? verdictTexts.registeredPrivate : verdictTexts.registeredText
    return [make('p', {}, text), opening(documentId, `#signature-${signId}`)]
  }
  const none = make('p', {}, verdictTexts.notRegistered)
  const documents =
    known.length > 0 ? known : await registeredDocuments(signers.flatMap((one) => Object.values(one.digests)))
  return documents.length === 0
    ? [none]
    : [none, make('p', {}, verdictTexts.documentRegistered), documentList(documents)]
}

function blocks(signers: readonly CheckedSigner[], worst: Conclusion): Promise<HTMLElement[]> {
  const of = signers.length
  return Promise.all(
    signers.map((one, at) => {
      const kicker = make('p', { class: 'kicker' }, `${verdictTexts.number(at + 1, of)}: `, own(one.file))
      const title = make('p', {}, make('strong', {}, verdictTexts.titles[conclusionOf(one)]))
      const isAlone = of === 1 && conclusionOf(one) === worst
      return checkedSignature(one, { above: isAlone ? [] : [kicker, title] })
    }),
  )
}
