import type { Deviations } from './deviation.js'

export const organizationDeviations = {
  noModifiedByOfSystems: {
    lines: [187],
    words: 'Package and organization settings events add `modifiedBy` (IIN) and `modifiedByDigest`',
    ours: 'a change by an information system has no `modifiedBy`, but `modifiedByBusinessId` (ours) and `modifiedByDigest`',
    because: { specification: '`modifiedBy` is an IIN, and a system has none' },
  },
} as const satisfies Deviations
