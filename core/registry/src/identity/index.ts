export { type AccessRule, assertAuthenticated, matchRules, personOf, refusal } from './access.js'
export {
  type Access,
  type DocumentAction,
  documentAccess,
  type PackageAction,
  packageAccess,
  type Way,
} from './access-table.js'
export { identityArea } from './area.js'
export {
  anonymous,
  type Caller,
  CallerSchema,
  type Employee,
  organizationOf,
  type Person,
  type System,
} from './caller.js'
export { certificationAuthorities } from './certification-authorities.js'
export { identityErrors } from './errors.js'
export { type AccessFacts, ObjectAccess } from './object-access.js'
export {
  type AccessControl,
  isFirstHead,
  OrganizationControls,
  type OrganizationRight,
  OrganizationRights,
} from './organization-rights.js'
