import type { OrganizationRight } from '../identity/index.js'

/** Something for each right that an organization grants, in the order of the specification. */
export const organizationRights = <T>(of: (right: OrganizationRight) => T): Record<OrganizationRight, T> => ({
  documentsAccess: of('documentsAccess'),
  documentsList: of('documentsList'),
  documentsSettings: of('documentsSettings'),
  organizationSettings: of('organizationSettings'),
  documentsPackagesRoute: of('documentsPackagesRoute'),
  routedDocumentsPackagesView: of('routedDocumentsPackagesView'),
  packagesAccess: of('packagesAccess'),
  packagesList: of('packagesList'),
  packagesSettings: of('packagesSettings'),
})
