import {
  ArchiveStore,
  anonymous,
  type Caller,
  Deliveries,
  type Delivery,
  type Plugin,
  provideValue,
  type RegistryOptions,
} from '@signed-registry/core'

import {
  AddSignature,
  FixDigests,
  RegisterDocument,
  type RegisterDocumentRequest,
} from '@signed-registry/core/documents'
import { RegisterPackage } from '@signed-registry/core/packages'
import type { Subject } from '@signed-registry/dev-authorities'
import { type MailerSmtpOptions, mailerSmtp } from '@signed-registry/mailer-smtp'
import type { Email } from 'postal-mime'
import type { OpenDatabase } from './databases.js'
import { allTried } from './deliveries.js'
import { MemoryStore } from './memory-store.js'
import { type TestRegistry, testRegistry, uploadOf } from './registry.js'
import type { SmtpSink } from './smtp-sink.js'

/** What is signed in these stories. */
export const CONTRACT = Buffer.from('contract')
const silent = { info: () => undefined, warn: () => undefined, error: () => undefined }

/** A started registry that sends its mail to a sink, in English unless somebody asks otherwise. */
export class MailStory {
  constructor(
    readonly test: TestRegistry,
    readonly store: MemoryStore,
    private readonly sink: SmtpSink,
  ) {}

  static async begin(
    open: OpenDatabase,
    sink: SmtpSink,
    options: { smtp?: Partial<MailerSmtpOptions>; plugins?: readonly Plugin[] } & Partial<RegistryOptions> = {},
  ): Promise<MailStory> {
    const { smtp, plugins = [], ...rest } = options
    const store = new MemoryStore()
    const mailer = mailerSmtp({ url: sink.url, from: 'Registry <registry@example.kz>', ...smtp })
    const { clock, ...others } = rest
    const test = await testRegistry(await open(), {
      plugins: [mailer, { name: 'memory', provides: [provideValue(ArchiveStore, store)] }, ...plugins],
      deliveryTimes: { pollMs: 20 },
      logger: silent,
      mailLanguage: 'en',
      ...others,
    })
    test.registry.start()
    return new MailStory(test, store, sink)
  }

  /** Somebody who signs, whose certificate may have an address. */
  person(iin = '850101300012', email?: string): Subject {
    return this.test.authorities.person({ iin, ...(email !== undefined && { email }) })
  }

  register(request: RegisterDocumentRequest = {}, signer = this.person(), original = CONTRACT) {
    const signature = signatureOver(original, signer)
    return this.test.registry.get(RegisterDocument).execute(anonymous, {
      request: { title: 'Contract.txt', signature, ...request },
    })
  }

  fix(id: string, { caller = anonymous, original = CONTRACT }: { caller?: Caller; original?: Buffer } = {}) {
    return this.test.registry.get(FixDigests).execute(caller, { id, upload: uploadOf(original) })
  }

  sign(id: string, signer: Subject, to?: string[], original: Buffer = CONTRACT) {
    const asked = to && { signatureEmailNotifications: { to } }
    const request = { signature: signatureOver(original, signer), ...asked }
    return this.test.registry.get(AddSignature).execute(anonymous, { id, request })
  }

  /** A registration that asks for mail and is complete. */
  async complete(to: string[], request: RegisterDocumentRequest = {}) {
    const { documentId } = await this.register({ emailNotifications: { to }, ...request })
    return this.fix(documentId)
  }

  /** A complete package of one document that nobody with a name registered. */
  async strangersPackage(to: string[], caller: Caller = anonymous) {
    const { registry } = this.test
    const { dataSecret = '', ...registered } = await registry.get(RegisterPackage).execute(caller, {
      request: {
        title: 'You won',
        description: 'Call 8 800 555',
        documents: [{ title: 'prize.exe', description: '' }],
        documentsSettings: { tempStorageAfterRegistration: 60_000 },
        emailNotifications: { to },
      },
    })
    const [id = ''] = registered.documentsIds
    const fixed = await registry
      .get(FixDigests)
      .execute(caller, { id, upload: uploadOf(CONTRACT), query: { dataSecret } })
    return { ...registered, dataSecret, fixed }
  }

  /** Waits until everything that is due has been tried. */
  settle(): Promise<void> {
    return allTried(this.test.registry, this.test.clock)
  }

  /** Mails about a document, a package, a person or an organization, as they are kept; settled. */
  async kept(owner: string): Promise<Delivery[]> {
    await this.settle()
    return this.test.registry.get(Deliveries).page({ owner, channel: 'mail' }, 100)
  }

  /** The one mail that came to an address. */
  only(address: string): Email {
    const [mail, ...more] = this.sink.to(address)
    if (mail === undefined || more.length > 0) throw new Error(`${mail ? more.length + 1 : 0} mails to ${address}`)
    return mail
  }

  close(): Promise<void> {
    return this.test.registry.close()
  }
}

const signatureOver = (original: Buffer, signer: Subject): string =>
  signer.signCms(original, { timeStamp: true, ocsp: true }).toString('base64')
