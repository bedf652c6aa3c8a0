import Type, { type Static, type TProperties } from 'typebox'

const change = <P extends TProperties>(settings: P) => {
  // Events outlive changes of the settings: an old one may lack a field of today.
  const values = Type.Partial(Type.Object(settings))
  return { eventId: Type.Integer(), original: values, modified: values, modifiedAt: Type.Integer() }
}

/** Query of a settings audit. */
export const AuditQuery = Type.Object({
  lastEventId: Type.Optional(Type.Integer({ description: 'answer the events after this one' })),
})
export type AuditQuery = Static<typeof AuditQuery>

/** Fields of a page of the changes of `settings`, without authors: only users change their own settings. */
export const userAuditPage = <P extends TProperties>(settings: P) => ({
  eventsTotal: Type.Integer(),
  events: Type.Array(Type.Object(change(settings))),
})

/** Fields of a page of the changes of `settings`, with their authors. */
export const auditPage = <P extends TProperties>(settings: P) => ({
  eventsTotal: Type.Integer(),
  events: Type.Array(
    Type.Object({
      ...change(settings),
      modifiedBy: Type.Optional(
        Type.String({ description: 'IIN; absent where an information system made the change' }),
      ),
      modifiedByBusinessId: Type.Optional(Type.String({ description: 'BIN of the information system' })),
      modifiedByDigest: Type.Optional(
        Type.String({ description: 'SHA-256 of the client certificate of the information system, hexadecimal' }),
      ),
    }),
  ),
})
