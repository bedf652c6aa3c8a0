import type { SignatureInclusion } from '@signed-registry/core/evidence'
import type { Signature } from '@signed-registry/core/signatures'
import type { Visit } from './visit.js'

/** What the transparency log says of a signature that is shown. */
export type Logged = Omit<SignatureInclusion, 'documentId' | 'signId'>

/** Proofs that are read at once: the pages of others need the database, too. */
const AT_ONCE = 4

/** What the transparency log says of signatures of a document, by `signId`; a log that fails keeps no page from being shown. */
export async function logged(
  { use }: Visit,
  documentId: string,
  signatures: readonly Signature[],
): Promise<ReadonlyMap<number, Logged>> {
  const found = new Map<number, Logged>()
  const queue = signatures.values()
  const worker = async () => {
    for (const signature of queue) {
      try {
        found.set(signature.signId, await use.getSignatureInclusion.of(documentId, signature))
      } catch (error) {
        use.logger.warn('A page says that it cannot read the transparency log', { error })
        found.set(signature.signId, { state: 'broken' })
      }
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, worker))
  return found
}
