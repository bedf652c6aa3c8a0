import type { Deviations } from './deviation.js'
import { documentDeviations } from './documents.js'
import { organizationDeviations } from './organizations.js'
import { packageDeviations } from './packages.js'
import { routingDeviations } from './routing.js'

export type { Deviation, Deviations, Reason } from './deviation.js'

/** The table of deviations, by part. */
export const deviations = {
  documents: documentDeviations,
  packages: packageDeviations,
  organizations: organizationDeviations,
  routing: routingDeviations,
} as const satisfies Readonly<Record<string, Deviations>>
