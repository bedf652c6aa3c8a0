import { type Static, Type } from 'typebox'

const Pem = Type.String({ pattern: '-----BEGIN ' })

/** Options of `mailerSmtp`. */
export const MailerSmtpOptions = Type.Object(
  {
    /** `smtps://user:password@host:465`, or `smtp://…:587`, which begins TLS in the connection; `?tls=off` for none. */
    url: Type.String({ pattern: '^smtps?://[^\\s/]+' }),
    /** Who sends: an address, or `Name <address>`. */
    from: Type.String({ pattern: '^[^\\r\\n]*@[^\\r\\n]+$' }),
    /** Where reports of mails that did not arrive go; `from` where not given. */
    returnPath: Type.Optional(Type.String({ pattern: '^[^\\s@]+@[^\\s@]+$' })),
    /** Connections at once; 5 where not given. */
    connections: Type.Optional(Type.Integer({ minimum: 1, maximum: 100 })),
    /** Mails in a second; as many as the server takes where not given. */
    perSecond: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
    /** Signs mails (RFC 6376); the key is RSA. */
    dkim: Type.Optional(
      Type.Object({ domain: Type.String({ minLength: 1 }), selector: Type.String({ minLength: 1 }), key: Pem }),
    ),
    /** Certificates that the server is trusted by, in place of those of Node. */
    trust: Type.Optional(Pem),
  },
  { additionalProperties: false },
)
export type MailerSmtpOptions = Static<typeof MailerSmtpOptions>
