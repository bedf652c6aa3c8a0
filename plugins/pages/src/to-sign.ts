import type { DocumentResource } from '@signed-registry/client'
import { isKept, mayRead } from './reading.js'
import type { Visit } from './visit.js'

/** A document to sign, for `browser/sign.ts`. */
export interface ToSign {
  readonly documentId: string
  readonly title: string
  readonly size: number
  readonly digests: Readonly<Record<string, string>>
  readonly isKept: boolean
  /** True when the registry keeps the original and this visitor may read it. */
  readonly isGiven: boolean
  /** Why nobody can sign it any more, if so. */
  readonly closed: 'until' | 'limit' | undefined
}

/** A document to sign, as this visitor may see it. */
export async function toSign(visit: Visit, id: string): Promise<ToSign> {
  const { use, caller } = visit
  const { document, known } = await use.getDocument.withDigests(caller, { id })
  const { title, signedDataSize: size } = document
  return {
    documentId: id,
    title,
    size,
    digests: known.digests,
    isKept: isKept(document),
    isGiven: await mayRead(visit, id, document),
    closed: closed(visit, document),
  }
}

function closed({ use }: Visit, { settings, signaturesTotal }: DocumentResource): ToSign['closed'] {
  const { signUntil, signaturesLimit = 0 } = settings
  if (signUntil !== undefined && signUntil <= use.clock.now()) return 'until'
  return signaturesLimit > 0 && signaturesTotal >= signaturesLimit ? 'limit' : undefined
}

/** What a page to sign is about. */
export interface Signing {
  readonly title: string
  readonly name: string
  /** The page of the document or package. */
  readonly address: string
  /** Label of the link that leads back there. */
  readonly back: string
  readonly documents: readonly ToSign[]
  readonly packageId?: string
}
