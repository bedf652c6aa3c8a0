import { type CheckedSignature, RegistryProblem } from '@signed-registry/client'
import { client } from './api.js'
import { make, say } from './dom.js'
import { judgeOver } from './judge-over.js'
import { opening, registeredDocuments } from './registered-documents.js'
import type { GivenSignature } from './signature-file.js'
import { texts } from './texts.js'
import { conclusionOf, judgedSignature, LOOKS, worstOf } from './verdict.js'
import { verdictTexts } from './verdict-texts.js'

/**
 * Finds a signature in the registry, or says what it proves by itself, over a document that is hashed here. Answers
 * whether the document would tell more.
 */
export async function checkSignature(
  place: HTMLElement,
  signature: GivenSignature,
  original: File | undefined,
): Promise<boolean> {
  say(place, 'busy', make('p', {}, texts.looking))
  const registered = await registeredAt(signature)
  if (registered !== undefined) {
    const { documentId, signId } = registered
    const link = opening(documentId, `#signature-${signId}`)
    say(place, 'good', make('h2', {}, texts.signatureFound), make('p', {}, texts.signatureFoundText), link)
    return false
  }
  const verdict = await judgeOver(place, signature.signature, original)
  const { isComputable } = verdict
  const note = original !== undefined && !isComputable ? make('p', {}, verdictTexts.hashUnknown) : undefined
  await show(place, verdict, note)
  return isComputable && verdict.signatures.some(({ document }) => document === 'notCompared' || document === 'differs')
}

/** Where it is registered; what the registry refuses to read here is judged all the same. */
async function registeredAt(signature: GivenSignature) {
  try {
    return await client.findExportedSignature({ request: signature })
  } catch (error) {
    if (error instanceof RegistryProblem && error.status >= 400 && error.status < 500 && error.status !== 429)
      return undefined
    throw error
  }
}

async function show(place: HTMLElement, { signatures }: CheckedSignature, note?: HTMLElement): Promise<void> {
  const conclusion = worstOf(signatures.map(conclusionOf))
  const several = signatures.length > 1
  const blocks = await Promise.all(
    signatures.map((one, at) => {
      const number = make('p', { class: 'kicker' }, verdictTexts.number(at + 1, signatures.length))
      const title = make('p', {}, make('strong', {}, verdictTexts.titles[conclusionOf(one)]))
      return judgedSignature(one, { above: several ? [number, title] : [] })
    }),
  )
  const { found, list } = await registeredDocuments(signatures.flatMap(({ digests }) => Object.values(digests)))
  say(
    place,
    LOOKS[conclusion],
    make('h2', {}, verdictTexts.titles[conclusion]),
    make('p', {}, verdictTexts.notRegistered),
    note,
    ...blocks,
    ...(found > 0 ? [make('p', {}, verdictTexts.documentRegistered), list] : []),
  )
}
