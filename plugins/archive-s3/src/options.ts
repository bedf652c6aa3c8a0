import { type Static, Type } from 'typebox'

const text = () => Type.String({ minLength: 1 })

/** Options of `archiveS3`. */
export const ArchiveS3Options = Type.Object(
  {
    endpoint: Type.String({ pattern: '^https?://[^/?#]+$', description: 'scheme, host and port of the service' }),
    bucket: Type.String({ pattern: '^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$' }),
    /** Before the names of objects, such as `registry/`; nothing unless given. */
    prefix: Type.Optional(Type.String({ pattern: '^[A-Za-z0-9._/-]*$' })),
    /** `us-east-1` unless given. */
    region: Type.Optional(text()),
    accessKeyId: text(),
    secretAccessKey: text(),
    sessionToken: Type.Optional(text()),
    /** `path` (https://host/bucket/key) unless given; `virtual` is https://bucket.host/key. */
    style: Type.Optional(Type.Enum(['path', 'virtual'])),
    /** Attempts of each call; 4 unless given. */
    attempts: Type.Optional(Type.Integer({ minimum: 1, maximum: 20 })),
    /** Milliseconds of silence that end a call; 60 seconds unless given. */
    timeoutMs: Type.Optional(Type.Integer({ minimum: 1 })),
  },
  { additionalProperties: false },
)
export type ArchiveS3Options = Static<typeof ArchiveS3Options>
