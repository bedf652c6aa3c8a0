export {
  type DocumentAction,
  documentAccess,
  type OrganizationRight,
  type PackageAction,
  packageAccess,
} from './access-table.js'
export { identityArea } from './area.js'
export {
  type Anonymous,
  anonymous,
  assertAuthenticated,
  type Caller,
  CallerSchema,
  type Employee,
  kindOfOwner,
  type Owner,
  type OwnerKind,
  organizationOf,
  ownerOf,
  type Person,
  personOf,
  refusal,
  type System,
} from './caller.js'
export { certificationAuthorities } from './certification-authorities.js'
export { identityErrors } from './errors.js'
export { anyone, anyoneButSystems, authenticated, byItself, people, told } from './guards.js'
export { type AccessFacts, type AccessRule, ObjectAccess } from './object-access.js'
export {
  type AccessControl,
  OrganizationControls,
  OrganizationRights,
} from './organization-rights.js'
