export { type AuditChange, type AuditEvent, type AuditOwner, type AuditPage, AuditStore } from './audit-store.js'
export { authorOf } from './author.js'
export { auditModule } from './module.js'
export { auditEvent, userAuditEvent } from './schema.js'
