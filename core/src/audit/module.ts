import { ContainerModule } from 'inversify'
import { provide } from '../kernel/token.js'
import { AuditStore } from './audit-store.js'

export const auditModule = new ContainerModule(({ bind }) => {
  provide(bind, AuditStore, AuditStore)
})
