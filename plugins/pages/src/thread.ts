import type { DocumentThread, ThreadStep } from '@signed-registry/client'

/** Where a document or a package stands. */
export type Thread = Pick<DocumentThread, 'steps' | 'shortened' | 'awaited' | 'you'>
export type Step = ThreadStep
