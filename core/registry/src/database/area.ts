import { area } from '../kernel/part.js'
import { ReadinessCheck } from '../kernel/readiness.js'
import { provide } from '../kernel/service.js'
import { Database } from './database.js'
import { DatabaseReadiness } from './database-readiness.js'
import * as lists from './migrations/0006-lists.js'
import * as replicaChecks from './migrations/0220-replica-checks.js'
import { Timeline, TimelineMarks } from './timeline.js'

export const databaseArea = area({
  name: 'database',
  migrations: { '0006-lists': lists, '0220-replica-checks': replicaChecks },
  services: [Database, TimelineMarks, Timeline],
  provides: [provide(ReadinessCheck, DatabaseReadiness)],
})
