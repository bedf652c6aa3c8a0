import Type, { type Static } from 'typebox'
import {
  checkEmailNotifications,
  DocumentParams,
  DocumentSigning,
  EmailNotifications,
  onDocument,
} from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { knownFields } from '../kernel/known-fields.js'
import { Limits } from '../kernel/limits.js'
import { type Admitted, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { AskingOrganizations } from './asking-organization.js'
import { BeginProcedure, signerDetails } from './begin-procedure.js'
import { ProcedureLimits } from './limits.js'
import { ProcedureOriginals } from './procedure-originals.js'
import { BegunProcedure, beginFields, Meta } from './schema.js'

/** Request of `POST /api/{id}/govQr`. */
export const BeginDocumentProcedureRequest = Type.Object(
  {
    ...beginFields,
    meta: Type.Optional(Type.Array(Meta, { description: 'shown in the app; at most 20' })),
    signatureEmailNotifications: Type.Optional(EmailNotifications),
    document: Type.Optional(Type.String({ description: 'base64 of the original, with tempStorage' })),
  },
  { $id: 'BeginDocumentProcedureRequest' },
)
export type BeginDocumentProcedureRequest = Static<typeof BeginDocumentProcedureRequest>

/** Begins the signing of a document by the mobile app (specification, `POST /api/{id}/govQr`). */
export class BeginDocumentProcedure {
  static readonly operation = operation({
    id: 'beginDocumentProcedure',
    group: 'phone',
    at: 'POST /:id/govQr',
    aliases: [{ at: 'POST /:id/egovQr', filledIn: { description: '' } }],
    who: onDocument('readData', { authenticated: true }),
    summary: 'Begin to sign a document by the mobile app: a QR code and links',
    description: 'The original has to be archived or in temporary storage, or comes along with `tempStorage`.',
    json: { bytes: Number.POSITIVE_INFINITY },
    params: DocumentParams,
    request: BeginDocumentProcedureRequest,
    answer: BegunProcedure,
    refuses: [
      'dataNotStored',
      'documentDigestsNotKnown',
      'featureNotAvailable',
      'invalidNotificationEmail',
      'invalidNotificationLanguage',
      'invalidSignature',
      'originalsTooLarge',
      'qrTooMany',
      'requestFieldTooLarge',
      'signatureDoesNotCorrespond',
      'signingDeadlinePassed',
      'tooManyNotificationEmails',
      'wholePackageRequired',
    ],
  })
  static readonly inject = {
    signing: DocumentSigning,
    originals: ProcedureOriginals,
    organizations: AskingOrganizations,
    begin: BeginProcedure,
    procedureLimits: ProcedureLimits,
    limits: Limits,
  }

  constructor(private readonly use: Injected<typeof BeginDocumentProcedure.inject>) {}

  /** The app receives the document, so the caller must be allowed to read it. */
  async execute(
    caller: Caller,
    { id: documentId, document, request }: Admitted<typeof BeginDocumentProcedure.operation>,
  ): Promise<BegunProcedure> {
    const { description, whenDone: { backUrl } = {}, meta = [], authType, tempStorage = false } = request
    const { signatureEmailNotifications: asked } = request
    if (asked) checkEmailNotifications(asked, this.use.limits)
    this.use.begin.check({
      description,
      ...(backUrl !== undefined && { backUrl }),
      meta: { meta },
      documents: [document],
    })
    const details = {
      ...signerDetails(caller, request.userId),
      meta: [meta.map((item) => knownFields(Meta, item))],
      ...(asked && { signatureEmailNotifications: knownFields(EmailNotifications, asked) }),
    }
    await this.use.signing.assertSignedAlone(document)
    const originals = await this.use.originals.check([document], tempStorage ? [request.document] : [])
    const { links, procedure } = await this.use.begin.begin(caller, {
      ...{ kind: 'document', documentId, life: this.use.procedureLimits.procedureMs },
      ...{ description, backUrl, authType, details },
      asking: await this.use.organizations.of(caller, document.registrator),
      prepare: (begun) => this.use.originals.keep(begun, originals),
    })
    return { operationId: procedure.id, ...links }
  }
}
