import Type, { type TProperties } from 'typebox'

const change = <P extends TProperties>(settings: P) => {
  // Events outlive changes of the settings: an old one may lack a field of today.
  const values = Type.Partial(Type.Object(settings))
  return { eventId: Type.Integer(), original: values, modified: values, modifiedAt: Type.Integer() }
}

/** An event without its author: users alone change their settings. */
export const userAuditEvent = <P extends TProperties>(settings: P) => Type.Object(change(settings))

/** An event with its author. */
export const auditEvent = <P extends TProperties>(settings: P) =>
  Type.Object({
    ...change(settings),
    modifiedBy: Type.Optional(Type.String({ description: 'IIN; BIN where an information system made the change' })),
    modifiedByDigest: Type.Optional(
      Type.String({ description: 'SHA-256 of the client certificate of the information system, hexadecimal' }),
    ),
  })
