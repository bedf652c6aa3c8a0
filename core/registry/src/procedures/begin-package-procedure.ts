import Type, { type Static } from 'typebox'
import { checkEmailNotifications, DocumentAccess, DocumentStore } from '../documents/index.js'
import { assertAuthenticated, type Caller, told } from '../identity/index.js'
import { knownFields } from '../kernel/known-fields.js'
import { Limits } from '../kernel/limits.js'
import { type Input, operation } from '../kernel/operation.js'
import { requestErrors } from '../kernel/request-errors.js'
import type { Injected } from '../kernel/service.js'
import { PackageAccess, PackageEmailNotifications, PackageParams, PackageStore } from '../packages/index.js'
import { AskingOrganizations } from './asking-organization.js'
import { BeginProcedure, signerDetails } from './begin-procedure.js'
import { ProcedureLimits } from './limits.js'
import { ProcedureOriginals } from './procedure-originals.js'
import { BegunProcedure, beginFields, Meta } from './schema.js'

/** Request of `POST /api/package/{packageId}/govQr`. */
export const BeginPackageProcedureRequest = Type.Object(
  {
    ...beginFields,
    meta: Type.Optional(Type.Array(Type.Array(Meta), { description: 'one list for each document, of at most 20' })),
    signatureEmailNotifications: Type.Optional(PackageEmailNotifications),
    documents: Type.Optional(
      Type.Array(Type.String(), { description: 'base64 of the originals in their order, with tempStorage' }),
    ),
  },
  { $id: 'BeginPackageProcedureRequest' },
)
export type BeginPackageProcedureRequest = Static<typeof BeginPackageProcedureRequest>

/** Begins the signing of every document of a package by the mobile app (specification, `POST /api/package/{packageId}/govQr`). */
export class BeginPackageProcedure {
  static readonly operation = operation({
    id: 'beginPackageProcedure',
    group: 'phone',
    at: 'POST /package/:packageId/govQr',
    aliases: [{ at: 'POST /package/:packageId/egovQr', filledIn: { description: '' } }],
    who: told('whoever may view the package and read its originals, and is authenticated'),
    summary: 'Begin to sign all documents of a package by the mobile app: a QR code and links',
    description: 'The originals have to be archived or in temporary storage, or come along with `tempStorage`.',
    json: { bytes: Number.POSITIVE_INFINITY, values: 10_000 },
    params: PackageParams,
    request: BeginPackageProcedureRequest,
    answer: BegunProcedure,
    refuses: [
      'accessDenied',
      'authenticationRequired',
      'dataNotStored',
      'documentDigestsNotKnown',
      'featureNotAvailable',
      'invalidNotificationEmail',
      'invalidNotificationLanguage',
      'invalidPackageIdentifier',
      'originalsTooLarge',
      'packageNotFound',
      'qrTooMany',
      'requestFieldTooLarge',
      'signatureDoesNotCorrespond',
      'signingDeadlinePassed',
      'tooManyNotificationEmails',
    ],
  })
  static readonly inject = {
    packages: PackageStore,
    documents: DocumentStore,
    packageAccess: PackageAccess,
    documentAccess: DocumentAccess,
    originals: ProcedureOriginals,
    organizations: AskingOrganizations,
    begin: BeginProcedure,
    procedureLimits: ProcedureLimits,
    limits: Limits,
  }

  constructor(private readonly use: Injected<typeof BeginPackageProcedure.inject>) {}

  /** The app receives the documents, so the caller must have registered the package, or may view it and read all of them. */
  async execute(
    caller: Caller,
    { packageId, request }: Input<typeof BeginPackageProcedure.operation>,
  ): Promise<BegunProcedure> {
    const found = await this.use.packages.get(packageId)
    assertAuthenticated(caller)
    await this.use.packageAccess.assertMay('view', caller, found)
    const documents = await this.use.documents.getAll(found.documentsIds)
    if (!(await this.use.packageAccess.may('sendDocuments', caller, found))) {
      for (const document of documents) await this.use.documentAccess.assertMay('readData', caller, document)
    }
    const { description, whenDone: { backUrl } = {}, meta, authType, tempStorage = false } = request
    const { signatureEmailNotifications: asked } = request
    if (asked) checkEmailNotifications(asked, this.use.limits)
    if (meta !== undefined && meta.length !== documents.length) throw wrongCount('/meta', documents.length)
    if (tempStorage && request.documents && request.documents.length !== documents.length)
      throw wrongCount('/documents', documents.length)
    this.use.begin.check({ description, ...(backUrl !== undefined && { backUrl }), meta: byField(meta), documents })
    const details = {
      ...signerDetails(caller, request.userId),
      meta: documents.map((_, at) => (meta?.[at] ?? []).map((item) => knownFields(Meta, item))),
      ...(asked && { signatureEmailNotifications: knownFields(PackageEmailNotifications, asked) }),
    }
    const originals = await this.use.originals.check(documents, tempStorage ? (request.documents ?? []) : [])
    const { links, procedure } = await this.use.begin.begin(caller, {
      ...{ kind: 'package', packageId, life: this.use.procedureLimits.procedureMs },
      ...{ description, backUrl, authType, details },
      asking: await this.use.organizations.of(caller, found.registrator),
      prepare: (begun) => this.use.originals.keep(begun, originals),
    })
    return { operationId: procedure.id, ...links }
  }
}

/** The lines about each document by field name. */
const byField = (meta: readonly Meta[][] = []) => Object.fromEntries(meta.map((lines, at) => [`meta[${at}]`, lines]))

const wrongCount = (path: string, documents: number) =>
  requestErrors.error('invalidJsonStructure', { part: 'body', path, problem: 'not one for each document', documents })
