export { auditArea } from './area.js'
export {
  type AuditChange,
  type AuditEvent,
  AuditLimits,
  type AuditOwner,
  type AuditPage,
  AuditStore,
} from './audit-store.js'
export { authorOf } from './author.js'
export { AuditQuery, auditPage, userAuditPage } from './schema.js'
export { type AuditCheck, AuditSeals } from './seals.js'
