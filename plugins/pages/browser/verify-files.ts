import type { CheckedFiles, CheckedSigner, CheckSignatureRequest } from '@signed-registry/client'
import { client } from './api.js'
import { toBase64 } from './bytes.js'
import type { Given } from './dropped-files.js'
import { type Algorithm, hashesOf, isAlgorithm, SHA256 } from './hash.js'

/** Most signatures, and most documents, in one request. */
export const MAX_FILES = 16

/** Reports how much of a file has been hashed. */
type OnHashing = (done: number) => void

/** A verdict, and the request for it. */
export interface Judged {
  readonly judged: CheckedFiles
  readonly asked: Pick<CheckSignatureRequest, 'signatures' | 'documents'>
}

/**
 * Gets the verdict on signatures over documents that stay on this computer: only the hashes that the signatures need are sent.
 */
export async function judgeFiles(given: Given, onHashing: OnHashing): Promise<Judged> {
  const documents = given.documents.slice(0, MAX_FILES)
  const signatures = given.signatures.slice(0, MAX_FILES).map(({ name, signature }) => ({ name, signature }))
  const alone = await client.checkSignature({ request: { signatures } })
  if (documents.length + given.cards.length === 0) return { judged: alone, asked: { signatures } }
  const signers = alone.signatures
  const wholes = []
  for (const { file, name } of documents) {
    const digests = await digestsOf(file, [SHA256, ...needed(signers)], onHashing)
    wholes.push({ name, digests, size: file.size })
  }
  // A signature may be over a card, or over the original in it.
  for (const { file, name, card } of given.cards) {
    wholes.push({ name, digests: await digestsOf(file, [SHA256, ...needed(signers)], onHashing) })
    wholes.push({ name: `${name}: ${card.original.name}`, digests: card.original.digests })
  }
  const asked = { signatures, documents: wholes.slice(0, MAX_FILES) }
  return { judged: await client.checkSignature({ request: asked }), asked }
}

/** The hash algorithms that the signatures use, as far as they are available here. */
const needed = (signers: readonly CheckedSigner[]): Algorithm[] =>
  signers.flatMap(({ digests }) => Object.keys(digests)).filter(isAlgorithm)

/** Whether every hash that a signature needs can be computed here. */
export const isComputable = ({ digests }: Pick<CheckedSigner, 'digests'>): boolean =>
  Object.keys(digests).every(isAlgorithm)

async function digestsOf(
  file: Blob,
  algorithms: readonly Algorithm[],
  onHashing: OnHashing,
): Promise<Record<string, string>> {
  const each = [...new Set(algorithms)]
  const hashes = await hashesOf(file, onHashing, each)
  return Object.fromEntries(each.map((oid, at) => [oid, toBase64(hashes[at] ?? new Uint8Array())]))
}
