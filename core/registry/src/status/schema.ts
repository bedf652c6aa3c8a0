import Type, { type Static } from 'typebox'

/** Recent results of calls to one external service (specification, "External service stat"). */
export const ExternalServiceStat = Type.Object(
  {
    protocol: Type.String({ description: 'ocsp, tsp or another' }),
    url: Type.String(),
    status: Type.Enum(['white', 'green', 'yellow', 'red'], {
      description: 'white: no recent calls; green: all succeeded; yellow: some failed; red: all failed',
    }),
  },
  { $id: 'ExternalServiceStat' },
)
export type ExternalServiceStat = Static<typeof ExternalServiceStat>

/** Answer of `GET /api/version` (specification, "Version"). */
export const Version = Type.Object(
  {
    version: Type.String(),
    buildTimeStamp: Type.String({ description: 'seconds since the UNIX epoch' }),
    licenseOwner: Type.String({ description: 'BIN; empty where the operator named none' }),
    licenseUntil: Type.String({ description: 'UTC date' }),
  },
  { $id: 'Version' },
)
export type Version = Static<typeof Version>
