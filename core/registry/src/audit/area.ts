import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { AuditLimits, AuditStore } from './audit-store.js'
import * as auditChanges from './migrations/0040-audit-changes.js'
import { AuditSeals } from './seals.js'

export const auditArea = area({
  name: 'audit',
  migrations: { '0040-audit-changes': auditChanges },
  provides: [provideLimits(AuditLimits)],
  services: [AuditStore],
  tasks: [AuditSeals],
})
