import { definePlugin, provideValue } from '@signed-registry/core'
import { Type } from 'typebox'
import { directoryErrors } from './errors.js'
import { GetOrganizationName } from './get-organization-name.js'
import * as names from './migrations/0001-names.js'
import { NameStore } from './name-store.js'
import { KeptDays, OrganizationDirectory } from './ports.js'

/** Plugin: names of organizations by BIN. Another plugin provides the source of the names. */
export const organizationDirectory = definePlugin({
  name: 'organization-directory',
  options: Type.Object({ keptDays: Type.Integer({ minimum: 1 }) }, { additionalProperties: false }),
  parts: ({ keptDays }) => ({
    errors: [directoryErrors],
    migrations: { 'organization-directory-0001-names': names },
    services: [NameStore],
    provides: [provideValue(KeptDays, keptDays)],
    operations: [GetOrganizationName],
  }),
})

/** Plugin: a directory of a few organizations, given in code. */
export const listedOrganizations = definePlugin({
  name: 'listed-organizations',
  options: Type.Object({ names: Type.Record(Type.String({ pattern: '^[0-9]{12}$' }), Type.String()) }),
  parts: ({ names }) => ({
    provides: [provideValue(OrganizationDirectory, { nameOf: async (bin) => names[bin] })],
  }),
})
