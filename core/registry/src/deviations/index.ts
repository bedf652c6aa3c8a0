import type { Deviations } from './deviation.js'
import { organizationDeviations } from './organizations.js'
import { routingDeviations } from './routing.js'

export type { Deviation, Deviations, Reason } from './deviation.js'

/** The table of deviations, by part. */
export const deviations = {
  organizations: organizationDeviations,
  routing: routingDeviations,
} as const satisfies Readonly<Record<string, Deviations>>
