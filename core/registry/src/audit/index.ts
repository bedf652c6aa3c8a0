export { auditArea } from './area.js'
export {
  type AuditEvent,
  AuditLimits,
  AuditStore,
} from './audit-store.js'
export { authorOf } from './author.js'
export { AuditQuery, auditPage, userAuditPage } from './schema.js'
export { type AuditCheck, AuditSeals } from './seals.js'
