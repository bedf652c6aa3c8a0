import { area } from '../kernel/part.js'
import { identityErrors } from './errors.js'
import { ObjectAccess } from './object-access.js'
import { OrganizationRights } from './organization-rights.js'

export const identityArea = area({
  name: 'identity',
  errors: [identityErrors],
  services: [OrganizationRights, ObjectAccess],
})
