import { definePlugin, provideValue } from '@signed-registry/core'
import { Type } from 'typebox'
import { CountVisit, RefusedVisitors } from './count-visit.js'
import { visitErrors } from './errors.js'
import * as visits from './migrations/0001-visits.js'
import { VisitStore } from './visit-store.js'

/** Plugin: counts visits by name. */
export const ourPlugin = definePlugin({
  name: 'our-plugin',
  options: Type.Object({ refused: Type.Array(Type.String()) }, { additionalProperties: false }),
  parts: ({ refused }) => ({
    errors: [visitErrors],
    migrations: { 'our-plugin-0001-visits': visits },
    services: [VisitStore],
    provides: [provideValue(RefusedVisitors, refused)],
    operations: [CountVisit],
  }),
})
