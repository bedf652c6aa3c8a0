import { auditArea } from './audit/index.js'
import { authArea } from './auth/index.js'
import { cardsArea } from './cards/index.js'
import { checkingArea } from './checking/index.js'
import { databaseArea } from './database/area.js'
import { migrationsOf } from './database/migrate.js'
import { deliveriesArea } from './deliveries/index.js'
import { documentsArea } from './documents/index.js'
import { eventsArea } from './events/index.js'
import { evidenceArea } from './evidence/index.js'
import { idempotencyArea } from './idempotency/index.js'
import { identityArea } from './identity/index.js'
import { kernelArea } from './kernel/area.js'
import { operationsOf } from './kernel/compose.js'
import type { Part } from './kernel/part.js'
import { ledgerArea } from './ledger/index.js'
import { logArea } from './log/index.js'
import { mailArea } from './mail/index.js'
import { notificationsArea } from './notifications/index.js'
import { organizationsArea } from './organizations/index.js'
import { originalsArea } from './originals/index.js'
import { packagesArea } from './packages/index.js'
import { partiesArea } from './parties/index.js'
import { proceduresArea } from './procedures/index.js'
import { renewalArea } from './renewal/index.js'
import { reportsArea } from './reports/index.js'
import { routingArea } from './routing/index.js'
import { settingsArea } from './settings/index.js'
import { signaturesArea } from './signatures/index.js'
import { signedFilesArea } from './signed-files/index.js'
import { statusArea } from './status/index.js'
import { stringsArea } from './strings/index.js'
import { templatesArea } from './templates/index.js'
import { vehicleRegistrationArea } from './vehicle-registration/index.js'
import { webArea } from './web/index.js'
import { webhooksArea } from './webhooks/index.js'

/** The areas of core, in order. */
export const coreAreas: readonly Part[] = [
  kernelArea,
  databaseArea,
  deliveriesArea,
  eventsArea,
  identityArea,
  ledgerArea,
  idempotencyArea,
  signaturesArea,
  logArea,
  notificationsArea,
  originalsArea,
  documentsArea,
  checkingArea,
  reportsArea,
  cardsArea,
  packagesArea,
  evidenceArea,
  signedFilesArea,
  renewalArea,
  auditArea,
  settingsArea,
  partiesArea,
  organizationsArea,
  authArea,
  routingArea,
  templatesArea,
  proceduresArea,
  webhooksArea,
  vehicleRegistrationArea,
  webArea,
  mailArea,
  statusArea,
  stringsArea,
]

/** The operations of core without plugins. */
export const coreOperations = operationsOf(coreAreas)

/** The schema of core without plugins. */
export const coreMigrations = migrationsOf(coreAreas, [])
