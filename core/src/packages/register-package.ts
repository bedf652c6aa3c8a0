import { Database } from '../database/database.js'
import { registratorOf, Sending, StoreDocument, type StoredDocument } from '../documents/index.js'
import { Outbox } from '../events/index.js'
import type { Caller } from '../identity/index.js'
import { Clock } from '../kernel/clock.js'
import { newId } from '../kernel/ids.js'
import { knownFields } from '../kernel/known-fields.js'
import { Limits } from '../kernel/limits.js'
import { checkPackage, packageSettings } from './check-package.js'
import { PackageLists } from './package-lists.js'
import { PackageStore, type StoredPackage } from './package-store.js'
import { type RegisteredPackage, RegisterPackageRequest } from './schema.js'

/**
 * Registers a package and its documents, which have no signatures yet (specification, `POST /api/package`).
 * It is complete when the hashes of every document are fixed; only who registered it can fix them.
 */
export class RegisterPackage {
  static readonly inject = [
    PackageStore,
    PackageLists,
    StoreDocument,
    Sending,
    Outbox,
    Database,
    Clock,
    Limits,
  ] as const

  constructor(
    private readonly packages: PackageStore,
    private readonly lists: PackageLists,
    private readonly storeDocument: StoreDocument,
    private readonly sending: Sending,
    private readonly outbox: Outbox,
    private readonly database: Database,
    private readonly clock: Clock,
    private readonly limits: Limits,
  ) {}

  async execute(caller: Caller, given: RegisterPackageRequest): Promise<RegisteredPackage> {
    const request = knownFields(RegisterPackageRequest, given)
    checkPackage(request, this.limits)
    const prepared = request.send && (await this.sending.prepare(caller, request.send))
    const registered = this.#package(caller, request)
    const documents = registered.documentsIds.map((id, at) => document(id, registered, request.documents[at]))
    await this.database.transaction(async () => {
      await this.packages.add(registered)
      for (const one of documents) await this.storeDocument.execute(one)
      await this.lists.add(registered)
      await this.outbox.add({ type: 'packageRegistered', packageId: registered.id })
      if (prepared) await this.sending.send(prepared, { packageId: registered.id }, false)
    })
    return { packageId: registered.id, documentsIds: [...registered.documentsIds] }
  }

  #package(caller: Caller, request: RegisterPackageRequest): StoredPackage {
    const { title = '', description = '', settings = {}, documentsSettings = {}, emailNotifications } = request
    return {
      id: newId(),
      storedAt: this.clock.now(),
      title,
      description,
      settings: packageSettings(settings),
      documentsSettings,
      documentsIds: request.documents.map(newId),
      emailNotifications,
      registeredBy: caller.kind === 'anonymous' || caller.kind === 'system' ? undefined : caller,
      registrator: registratorOf(caller),
    }
  }
}

const document = (
  id: string,
  { id: packageId, storedAt, documentsSettings, registrator }: StoredPackage,
  { title = '', description = '' }: { title?: string; description?: string } = {},
): StoredDocument => ({
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
