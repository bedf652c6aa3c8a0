export { type AccessRule, assertAuthenticated, personOf, refusal } from './access.js'
export {
  type DocumentAction,
  documentAccess,
  type PackageAction,
  packageAccess,
} from './access-table.js'
export { identityArea } from './area.js'
export {
  type Anonymous,
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
export { anyone, anyoneButSystems, authenticated, byItself, people, told } from './guards.js'
export { type AccessFacts, ObjectAccess } from './object-access.js'
export {
  type AccessControl,
  OrganizationControls,
  type OrganizationRight,
  OrganizationRights,
} from './organization-rights.js'
export { kindOfOwner, type Owner, type OwnerKind, ownerOf } from './owner.js'
