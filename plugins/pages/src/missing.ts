import type { OrganizationRight } from '@signed-registry/core'
import type { Visit } from './visit.js'

/** The features whose lack pages tell. */
export type ToldFeature = 'documentsRegistration' | 'documentsPackages' | 'documentsRouting'

/** What a visitor lacks for an act in the name of their organization. */
export type Missing = { readonly right: OrganizationRight } | { readonly feature: ToldFeature }

/** What keeps a visitor from sending, if anything; who is not logged in is told so elsewhere. */
export const missingToSend = async (visit: Visit): Promise<Missing | undefined> =>
  (await missingToAnswer(visit)) ?? (await missingFeature(visit, 'documentsRouting'))

/** What keeps an employee from answering or recalling what the organization received or sent, if anything. */
export const missingToAnswer = (visit: Visit): Promise<Missing | undefined> =>
  missingRight(visit, 'documentsPackagesRoute')

/** What keeps an employee from reading what the organization sent and received, if anything. */
export const missingToSeeItems = (visit: Visit): Promise<Missing | undefined> =>
  missingRight(visit, 'routedDocumentsPackagesView')

/** The right, where the visitor is an employee without it. */
async function missingRight({ caller, use }: Visit, right: OrganizationRight): Promise<Missing | undefined> {
  if (caller.kind !== 'employee') return undefined
  return (await use.organizationRights.allow(caller, caller.bin, right)) ? undefined : { right }
}

/** The feature, where the visitor's organization does not have it. */
export async function missingFeature({ caller, use }: Visit, name: ToldFeature): Promise<Missing | undefined> {
  if (caller.kind !== 'employee') return undefined
  const having = await use.subscriptions.having(name, [caller.bin])
  return having.has(caller.bin) ? undefined : { feature: name }
}
