import type { ProvedInclusion } from '@signed-registry/core/evidence'
import type { Signature } from '@signed-registry/core/signatures'
import type { Visit } from './visit.js'

/** What the transparency log says of a signature that is shown. */
export type Logged = ProvedInclusion

/** What the transparency log says of signatures, by `signId`; a log that fails keeps no page from being shown. */
export async function logged(
  { use }: Visit,
  signatures: readonly Pick<Signature, 'signId'>[],
): Promise<ReadonlyMap<number, Logged>> {
  try {
    return await use.getSignatureInclusion.ofAll(signatures.map(({ signId }) => signId))
  } catch (error) {
    use.logger.warn('A page says that it cannot read the transparency log', { error })
    return new Map(signatures.map(({ signId }) => [signId, { state: 'broken' }]))
  }
}
