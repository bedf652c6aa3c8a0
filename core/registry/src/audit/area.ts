import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provide } from '../kernel/service.js'
import { LoggedFacts } from '../log/index.js'
import { AuditLimits, AuditStore } from './audit-store.js'
import { LoggedAudit } from './logged-audit.js'
import * as auditChanges from './migrations/0040-audit-changes.js'
import { AuditSeals } from './seals.js'

export const auditArea = area({
  name: 'audit',
  migrations: { '0040-audit-changes': auditChanges },
  provides: [provideLimits(AuditLimits), provide(LoggedFacts, LoggedAudit)],
  services: [AuditStore],
  tasks: [AuditSeals],
})
