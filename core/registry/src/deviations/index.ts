import { completenessDeviations } from './completeness.js'
import type { Deviations } from './deviation.js'
import { documentDeviations } from './documents.js'
import { evidenceDeviations } from './evidence.js'
import { httpDeviations } from './http.js'
import { loginDeviations } from './logins.js'
import { mailDeviations } from './mail.js'
import { organizationDeviations } from './organizations.js'
import { packageDeviations } from './packages.js'
import { procedureDeviations } from './procedures.js'
import { routingDeviations } from './routing.js'
import { versionDeviations } from './version.js'

export type { Deviation, Deviations, Reason } from './deviation.js'

/** The table of deviations, by part. */
export const deviations = {
  documents: documentDeviations,
  evidence: evidenceDeviations,
  logins: loginDeviations,
  completeness: completenessDeviations,
  mail: mailDeviations,
  http: httpDeviations,
  organizations: organizationDeviations,
  packages: packageDeviations,
  routing: routingDeviations,
  version: versionDeviations,
  procedures: procedureDeviations,
} as const satisfies Readonly<Record<string, Deviations>>
