export { type AccessRule, assertAuthenticated, matchRules, refusal } from './access.js'
export { anonymous, type Caller, type Employee, organizationOf, type Person, type System } from './caller.js'
export { identityErrors } from './errors.js'
export { identityModule } from './module.js'
export {
  type AccessControl,
  isFirstHead,
  OrganizationControls,
  type OrganizationRight,
  OrganizationRights,
} from './organization-rights.js'
