import type { Caller, Registry, RegistryOptions } from '@signed-registry/core'
import type { DocumentSettings } from '@signed-registry/core/documents'
import { FixDigests, GetDocument } from '@signed-registry/core/documents'
import type { PackageSettingsRequest } from '@signed-registry/core/packages'
import { GetPackage, RegisterPackage } from '@signed-registry/core/packages'
import type { ItemListQuery, SendRequest } from '@signed-registry/core/routing'
import {
  CommentIncoming,
  type CommentIncomingRequest,
  CommentOutgoing,
  GetIncoming,
  GetOutgoing,
  ListIncoming,
  ListOutgoing,
  RecallOutgoing,
  RemindOutgoing,
  SendDocument,
  SendPackage,
} from '@signed-registry/core/routing'
import { employeeCaller, headCaller, personCaller, registryWithoutAuthorities } from './core-registry.js'
import type { OpenDatabase } from './databases.js'
import { UNTITLED } from './packages.js'
import { type TestClock, testClock } from './pki/authorities.js'
import { uploadOf } from './registry.js'

/** Who sends and receives in tests. */
export const SENDER = 'BIN123456789021'
export const RECEIVER = 'BIN123456789022'
export const sender = headCaller({ bin: SENDER })
export const receiver = headCaller({ bin: RECEIVER, iin: 'IIN123456789012' })
/** An employee of the receiver whom it lets do nothing. */
export const clerk = employeeCaller({ bin: RECEIVER, iin: 'IIN123456789013' })
export const PERSON = 'IIN123456789014'
export const person = personCaller(PERSON)
export const stranger = headCaller({ bin: 'BIN123456789023', iin: 'IIN123456789015' })

/** What a test registers to be sent. */
export interface PackageChoice {
  readonly by?: Caller
  readonly count?: number
  readonly send?: SendRequest
  readonly settings?: PackageSettingsRequest
  readonly documentsSettings?: DocumentSettings
}

/** A registry in which things are sent; its documents have no signatures. */
export class RoutingTest {
  /** Of packages that nobody with a name registered, by their documents. */
  private readonly dataSecrets = new Map<string, string>()

  constructor(
    readonly registry: Registry,
    readonly clock: TestClock,
  ) {}

  async register({ by = sender, count = 2, ...fields }: PackageChoice = {}) {
    const { dataSecret, ...registered } = await this.registry
      .get(RegisterPackage)
      .execute(by, { request: { ...UNTITLED, documents: Array(count).fill(UNTITLED), ...fields } })
    if (dataSecret) for (const id of registered.documentsIds) this.dataSecrets.set(id, dataSecret)
    return registered
  }

  /** Registers a package whose hashes are all fixed. */
  async complete(choice: PackageChoice = {}) {
    const registered = await this.register(choice)
    for (const id of registered.documentsIds) await this.fix(id, choice.by)
    return registered
  }

  fix = (documentId: string, by: Caller = sender) => {
    const dataSecret = this.dataSecrets.get(documentId)
    const upload = uploadOf(Buffer.from(`original of ${documentId}`))
    return this.registry
      .get(FixDigests)
      .execute(by, { id: documentId, upload, query: { ...(dataSecret && { dataSecret }) } })
  }

  sendPackage = async (packageId: string, to: string = RECEIVER, by: Caller = sender, comment?: string) =>
    (
      await this.registry
        .get(SendPackage)
        .execute(by, { packageId, request: { to, ...(comment !== undefined && { comment }) } })
    ).outgoingId

  sendDocument = async (documentId: string, to: string = RECEIVER, by: Caller = sender) =>
    (await this.registry.get(SendDocument).execute(by, { id: documentId, request: { to } })).outgoingId

  /** Registers, completes and sends a package; gives the identifier of the item. */
  async sent(to: string = RECEIVER, fields: Omit<SendRequest, 'to'> = {}): Promise<string> {
    const { packageId } = await this.complete({ count: 1 })
    const request = { to, ...fields }
    return (await this.registry.get(SendPackage).execute(sender, { packageId, request })).outgoingId
  }

  listIncoming = (by: Caller = receiver, query: ItemListQuery = {}) =>
    this.registry.get(ListIncoming).execute(by, { query })
  listOutgoing = (by: Caller = sender, query: ItemListQuery = {}) =>
    this.registry.get(ListOutgoing).execute(by, { query })
  incoming = (id: string, by: Caller = receiver, includeDetails = false) =>
    this.registry.get(GetIncoming).execute(by, { incomingId: id, query: { includeDetails } })
  outgoing = (id: string, by: Caller = sender, includeDetails = false) =>
    this.registry.get(GetOutgoing).execute(by, { outgoingId: id, query: { includeDetails } })
  answer = (id: string, request: CommentIncomingRequest, by: Caller = receiver) =>
    this.registry.get(CommentIncoming).execute(by, { incomingId: id, request })
  comment = (id: string, comment: string, by: Caller = sender) =>
    this.registry.get(CommentOutgoing).execute(by, { outgoingId: id, request: { comment } })
  remind = (id: string, by: Caller = sender) =>
    this.registry.get(RemindOutgoing).execute(by, { outgoingId: id, request: {} })
  recall = (id: string, comment?: string, by: Caller = sender) =>
    this.registry
      .get(RecallOutgoing)
      .execute(by, { outgoingId: id, request: { ...(comment !== undefined && { comment }) } })
  document = (id: string, by: Caller) => this.registry.get(GetDocument).execute(by, { id })
  package = (id: string, by: Caller) => this.registry.get(GetPackage).execute(by, { packageId: id })
}

/** Opens a registry for sending on an empty database. */
export async function routingTest(open: OpenDatabase, options: Partial<RegistryOptions> = {}): Promise<RoutingTest> {
  const clock = testClock()
  return new RoutingTest(await registryWithoutAuthorities(await open(), { clock, ...options }), clock)
}
