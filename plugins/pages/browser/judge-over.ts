import type { CheckedSignature } from '@signed-registry/client'
import { client } from './api.js'
import { toBase64 } from './bytes.js'
import { make, progressBar, say } from './dom.js'
import { hashesOf, isAlgorithm } from './hash.js'
import { texts } from './texts.js'

/**
 * The verdict on a signature over a document that stays here: its hashes leave the computer, those that the signature
 * needs. Without the document, and where it needs a hash that cannot be computed here, on the signature alone.
 */
export async function judgeOver(
  place: HTMLElement,
  signature: string,
  document: Blob | undefined,
): Promise<CheckedSignature & { readonly isComputable: boolean }> {
  const alone = await client.checkSignature({ request: { signature } })
  const oids = new Set(alone.signatures.flatMap(({ digests }) => Object.keys(digests)))
  const algorithms = [...oids].filter(isAlgorithm)
  const isComputable = algorithms.length === oids.size
  if (document === undefined || !isComputable || oids.size === 0) return { ...alone, isComputable }
  const bar = progressBar(texts.hashing)
  say(place, 'busy', make('p', {}, texts.hashing), bar.element)
  const hashes = await hashesOf(document, bar.to, algorithms)
  const digests: Record<string, string> = {}
  for (const [at, oid] of algorithms.entries()) digests[oid] = toBase64(hashes[at] ?? new Uint8Array())
  return { ...(await client.checkSignature({ request: { signature, digests } })), isComputable }
}
