import { randomBytes } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { Database } from '../database/database.js'
import {
  checkDocumentSettings,
  checkEmailNotifications,
  checkTitles,
  DocumentLists,
  type DocumentRecord,
  DocumentSettings,
  DocumentStore,
  Send,
  Sending,
  SettingsOffered,
} from '../documents/index.js'
import { anonymous, anyone, type Caller, organizationOf, refusal } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { checkCount, checkLength, fieldTooLarge } from '../kernel/field-length.js'
import { knownFields } from '../kernel/known-fields.js'
import { Limits } from '../kernel/limits.js'
import { type Input, keepNothing, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { MailBudget, payerOf } from '../notifications/index.js'
import { Subscriptions } from '../organizations/index.js'
import { packageErrors } from './errors.js'
import { PackageLimits } from './limits.js'
import { NewPackages, newPackage } from './new-packages.js'
import { digestOfSecret } from './package-access.js'
import { checkPackageSettings } from './package-settings.js'
import type { StoredPackage } from './package-store.js'
import { PackageEmailNotifications, PackageSettingsRequest } from './schema.js'

/** Request of `POST /api/package`. */
export const RegisterPackageRequest = Type.Object(
  {
    title: Type.String({ description: 'may be empty' }),
    description: Type.String({ description: 'may be empty' }),
    emailNotifications: Type.Optional(PackageEmailNotifications),
    settings: Type.Optional(PackageSettingsRequest),
    documentsSettings: Type.Optional(DocumentSettings),
    documents: Type.Array(Type.Object({ title: Type.String(), description: Type.String() })),
    send: Type.Optional(Send),
  },
  { $id: 'RegisterPackageRequest' },
)
export type RegisterPackageRequest = Static<typeof RegisterPackageRequest>

/** Answer of `POST /api/package`. */
export const RegisteredPackage = Type.Object(
  {
    packageId: Type.String(),
    documentsIds: Type.Array(Type.String()),
    dataSecret: Type.Optional(
      Type.String({ description: 'where nobody was authenticated: give it to POST /api/{id}/data of each document' }),
    ),
  },
  { $id: 'RegisteredPackage' },
)
export type RegisteredPackage = Static<typeof RegisteredPackage>

const SECRET_BYTES = 16

/**
 * Registers a package and its documents, still without signatures (specification, `POST /api/package`). It is complete when
 * the hashes of every document are fixed, which only the registering caller can do.
 */
export class RegisterPackage {
  static readonly operation = operation({
    id: 'registerPackage',
    group: 'packages',
    at: 'POST /package',
    who: anyone(),
    summary: 'Register a package and reserve identifiers for its documents',
    description:
      'Its documents get identifiers in the order of the request. Registration is complete when the hashes of every one are fixed, by whoever registered it.',
    request: RegisterPackageRequest,
    json: { bytes: 2 * 1024 * 1024, values: 30_000 },
    answer: RegisteredPackage,
    idempotent: true,
    refuses: [
      'accessDenied',
      'answerTooLargeToKeep',
      'authenticationRequired',
      'featureNotAvailable',
      'fieldNotSupported',
      'idempotencyKeyReused',
      'invalidDocumentSettings',
      'invalidDocumentTitle',
      'invalidNotificationEmail',
      'invalidNotificationLanguage',
      'invalidPackageSettings',
      'invalidDeadline',
      'invalidReceiver',
      'mailLimitReached',
      'packageWithoutDocuments',
      'requestFieldTooLarge',
      'tooManyNotificationEmails',
    ],
  })
  static readonly inject = {
    packages: NewPackages,
    documents: DocumentStore,
    documentLists: DocumentLists,
    offered: SettingsOffered,
    sending: Sending,
    database: Database,
    clock: Clock,
    limits: Limits,
    packageLimits: PackageLimits,
    features: Subscriptions,
    mailBudget: MailBudget,
  }

  constructor(private readonly use: Injected<typeof RegisterPackage.inject>) {}

  async execute(
    caller: Caller,
    { request: given, keep = keepNothing }: Input<typeof RegisterPackage.operation>,
  ): Promise<RegisteredPackage> {
    checkPackage(given, { ...this.use.limits, ...this.use.packageLimits })
    const request = knownFields(RegisterPackageRequest, given)
    this.use.offered.assert(request.documentsSettings ?? {})
    if (caller.kind === 'anonymous') checkAnonymous(request, this.use.packageLimits)
    const prepared = request.send && (await this.use.sending.prepare(caller, request.send))
    await this.use.features.assertEnabled(organizationOf(caller), 'documentsPackages')
    const dataSecret = caller.kind === 'anonymous' ? randomBytes(SECRET_BYTES).toString('base64url') : undefined
    const registered = newPackage(caller, request, {
      storedAt: this.use.clock.now(),
      dataSecretDigest: dataSecret === undefined ? undefined : digestOfSecret(dataSecret),
    })
    const documents = registered.documentsIds.map((id, at) => document(id, registered, request.documents[at]))
    return this.use.database.transaction(async () => {
      await this.use.documents.add(documents)
      await this.use.documentLists.add(documents.map((document) => ({ document })))
      await this.use.packages.add(registered)
      if (prepared) await this.use.sending.send(prepared, { packageId: registered.id }, false)
      await this.use.mailBudget.take(payerOf(caller), registered.emailNotifications?.to)
      return keep({
        packageId: registered.id,
        documentsIds: [...registered.documentsIds],
        ...(dataSecret !== undefined && { dataSecret }),
      })
    })
  }
}

const document = (
  id: string,
  { id: packageId, storedAt, documentsSettings, registrator }: StoredPackage,
  { title = '', description = '' }: { title?: string; description?: string } = {},
): DocumentRecord => ({
  id,
  storedAt,
  title,
  description,
  signedDataSize: 0,
  digestsFixedAt: undefined,
  settings: documentsSettings,
  emailNotifications: undefined,
  signaturesTotal: 0,
  preregistered: true,
  packageId,
  registrator,
})

/** Refuses a package with no or too many documents, and invalid fields of it or of its documents. */
function checkPackage(request: RegisterPackageRequest, limits: Limits & PackageLimits): void {
  const { title, description, documents, documentsSettings = {}, emailNotifications } = request
  if (documents.length === 0) throw packageErrors.error('packageWithoutDocuments')
  checkCount('documents', documents, limits.packageDocuments)
  checkLength('title', title, limits.title)
  checkLength('description', description, limits.description)
  for (const document of documents) checkTitles(document.title, document.description, limits)
  checkDocumentSettings(documentsSettings)
  checkPackageSettings(request.settings ?? {})
  if (emailNotifications) checkEmailNotifications(emailNotifications, limits)
}

/**
 * Refuses what anonymous callers may not ask for: access rules, which add the package to others' lists or open it to them,
 * and large packages.
 */
function checkAnonymous(request: RegisterPackageRequest, limits: PackageLimits): void {
  const { settings = {}, documentsSettings = {}, documents } = request
  const rules = {
    packageAccess: settings.packageAccess,
    packageSettings: settings.packageSettings,
    documentAccess: documentsSettings.documentAccess,
  }
  const field = Object.entries(rules).find(([, named = []]) => named.some((one) => Object.keys(one).length > 0))?.[0]
  if (field !== undefined) throw refusal(anonymous).with({ field })
  checkCount('documents', documents, limits.anonymousPackageDocuments)
  if (Buffer.byteLength(JSON.stringify(documentsSettings)) > limits.anonymousSettingsBytes) {
    throw fieldTooLarge('documentsSettings', limits.anonymousSettingsBytes)
  }
}
