import type { DocumentThread, ThreadStep } from '@signed-registry/client'

/** Where a document or a package stands. */
export type Thread = Pick<DocumentThread, 'steps' | 'shortened' | 'awaited' | 'you'>
export type Step = ThreadStep

/** Whether signing is next for somebody of whom nothing is asked. */
export const isSigningNext = ({ you, awaited }: Thread): boolean =>
  awaited.length === 0 && (you === undefined || (you.next === 'nothing' && you.signedAt === undefined))
