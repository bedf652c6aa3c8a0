import { ContainerModule } from 'inversify'
import { provide } from '../kernel/token.js'
import { ObjectAccess } from './object-access.js'
import { OrganizationRights } from './organization-rights.js'

export const identityModule = new ContainerModule(({ bind }) => {
  provide(bind, OrganizationRights, OrganizationRights)
  provide(bind, ObjectAccess, ObjectAccess)
})
