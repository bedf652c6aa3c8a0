import Type, { type Static } from 'typebox'

/** How the app authenticates to get the documents: not at all, by a token from API 1, or by a signed login. */
export const AuthType = Type.Enum(['None', 'Token', 'Eds'], {
  description: 'how the app proves itself at API 2; Token where not given',
})
export type AuthType = Static<typeof AuthType>

/** One line about a document, shown in the app. */
export const Meta = Type.Object(
  {
    name: Type.String({ description: 'at most 100 characters' }),
    value: Type.String({ description: 'at most 500 characters' }),
  },
  { $id: 'ProcedureMeta' },
)
export type Meta = Static<typeof Meta>

/** What the app shows as the purpose (specification, `description`); may be empty but not omitted. */
export const ShownDescription = Type.String({ description: 'shown in the app' })

/** Where the app takes the user in the end. */
export const WhenDone = Type.Object({
  backUrl: Type.Optional(Type.String({ description: 'address of a page or of an application, to go back to' })),
})

const Links = {
  expireAt: Type.Integer({ description: 'milliseconds since the UNIX epoch' }),
  qrCode: Type.String({ description: 'base64 of a PNG image' }),
  govMobileLaunchLink: Type.String({ description: 'opens the app of citizens on the same device' }),
  govBusinessLaunchLink: Type.String({ description: 'opens the app of organizations on the same device' }),
  eGovMobileLaunchLink: Type.String({ description: 'as govMobileLaunchLink' }),
  eGovBusinessLaunchLink: Type.String({ description: 'as govBusinessLaunchLink' }),
}

/** Answer that begins a simplified procedure. */
export const BegunProcedure = Type.Object({ operationId: Type.String(), ...Links }, { $id: 'BegunProcedure' })
export type BegunProcedure = Static<typeof BegunProcedure>

const ResultAddresses = {
  expireAt: Links.expireAt,
  signURL: Type.String({ description: 'GET waits there for what the app returns' }),
  signURLmTLS: Type.String(),
  signURLAuto: Type.String({ description: 'signURL, or signURLmTLS for who asks by mutual TLS' }),
}

/** Answer that begins a raw procedure. */
export const BegunRawProcedure = Type.Object(
  {
    ...Links,
    dataURL: Type.String({ description: 'POST there what is to be signed; the body is read when the app comes' }),
    dataURLmTLS: Type.String(),
    dataURLAuto: Type.String(),
    ...ResultAddresses,
    stateURL: Type.String({ description: 'GET tells the status at once, or as text/event-stream' }),
  },
  { $id: 'BegunRawProcedure' },
)
export type BegunRawProcedure = Static<typeof BegunRawProcedure>

/** Answer to the data of a raw procedure, once the app has it. */
export const TakenData = Type.Object(ResultAddresses, { $id: 'TakenData' })
export type TakenData = Static<typeof TakenData>

const Status = Type.Enum(['new', 'meta', 'data', 'done', 'fail', 'canceled'])

/** State of a raw procedure or a login by phone. */
export const ProcedureState = Type.Object(
  { status: Status, createdAt: Type.Integer(), expireAt: Links.expireAt },
  { $id: 'ProcedureState' },
)
export type ProcedureState = Static<typeof ProcedureState>

/** Fields that the records of both simplified procedures have (specification, "Signing procedure records"). */
export const recordFields = {
  operationId: Type.String(),
  status: Status,
  createdAt: Type.Integer(),
  expireAt: Links.expireAt,
  description: Type.String(),
  errors: Type.Optional(
    Type.Object({
      gov: Type.Optional(Type.String({ description: 'from the side of the mobile application' })),
      service: Type.Optional(Type.String({ description: 'of the processing of signatures' })),
      egov: Type.Optional(Type.String({ description: 'as gov' })),
      sigex: Type.Optional(Type.String({ description: 'as service' })),
    }),
  ),
}

/** Fields that both requests for a simplified procedure have. */
export const beginFields = {
  description: ShownDescription,
  whenDone: Type.Optional(WhenDone),
  authType: Type.Optional(AuthType),
  userId: Type.Optional(Type.String({ description: 'IIN: nobody else’s signature will do' })),
  tempStorage: Type.Optional(
    Type.Boolean({ description: 'keep the originals of this request for the procedure alone, where none are stored' }),
  ),
}

/** What the app is given and returns (specification, "Raw QR signing data"): its vendor's format, opaque in raw procedures. */
export const signingData = {
  signMethod: Type.Optional(
    Type.String({ description: 'CMS_WITH_DATA, CMS_SIGN_ONLY, XML, SIGN_BYTES_ARRAY or MIX_SIGN' }),
  ),
  version: Type.Optional(Type.Integer()),
  documentsToSign: Type.Optional(
    Type.Array(
      Type.Object({
        id: Type.Union([Type.String(), Type.Integer()]),
        nameRu: Type.Optional(Type.String()),
        nameKz: Type.Optional(Type.String()),
        nameEn: Type.Optional(Type.String()),
        meta: Type.Optional(Type.Array(Meta)),
        document: Type.Optional(
          Type.Object({
            file: Type.Object({
              mime: Type.String(),
              data: Type.String({ description: 'base64 of the data; in what comes back, of the signature' }),
            }),
          }),
        ),
        documentXml: Type.Optional(Type.String({ description: 'XML to sign; in what comes back, signed' })),
      }),
    ),
  ),
}

/** Answer to a cancellation. */
export const CanceledProcedure = Type.Object({ operationId: Type.String() }, { $id: 'CanceledProcedure' })
export type CanceledProcedure = Static<typeof CanceledProcedure>

/** The organization that asks for a signature, as the app shows it. */
export const AppOrganisation = Type.Object({
  nameRu: Type.String(),
  nameKz: Type.String(),
  nameEn: Type.String(),
  bin: Type.String({ description: '12 digits; empty where there is none' }),
})
export type AppOrganisation = Static<typeof AppOrganisation>

/** What API 1 tells the app. */
export const AppDescription = Type.Object(
  {
    description: Type.String(),
    expiry_date: Type.String({ description: 'ISO 8601 with milliseconds and offset' }),
    organisation: AppOrganisation,
    document: Type.Object({
      uri: Type.String({ description: 'API 2' }),
      auth_type: Type.Enum(['None', 'Token', 'Eds']),
      auth_token: Type.String(),
    }),
  },
  { $id: 'AppDescription' },
)
export type AppDescription = Static<typeof AppDescription>
