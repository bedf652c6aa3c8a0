import { type DocumentRecord, SignatureStore } from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import { payerOfSigner } from '../notifications/index.js'
import { PackageStore, type StoredPackage } from '../packages/index.js'
import { type AskedFor, type Asker, STRANGER } from './notices.js'

/** The addresses that were named at registration. */
export interface Registered {
  readonly asked: AskedFor
  /** No attachments: not wanted, or an anonymous caller registered. */
  readonly withoutOriginals: boolean
  readonly askedBy: Asker
}

/** Finds the addresses that were named at registration, and who named them. */
export class RegisteredAddresses {
  static readonly inject = { signatures: SignatureStore, packages: PackageStore }

  constructor(private readonly use: Injected<typeof RegisteredAddresses.inject>) {}

  /** Those of the document, or of the package that it was registered in. */
  async ofDocument({ id, packageId, registrator, ...document }: DocumentRecord): Promise<Registered | undefined> {
    if (packageId !== undefined) return this.ofPackage(await this.use.packages.get(packageId))
    const { emailNotifications: asked } = document
    if (asked === undefined || asked.to.length === 0) return undefined
    const [first] = registrator ? [] : await this.use.signatures.page(id, 0, 1)
    const askedBy = registrator?.bin ?? (first ? payerOfSigner(first.facts) : STRANGER)
    return { asked, withoutOriginals: asked.doNotAttachDocument ?? false, askedBy }
  }

  ofPackage({ emailNotifications: asked, registrator, registeredBy }: StoredPackage): Registered | undefined {
    if (asked === undefined || asked.to.length === 0) return undefined
    const askedBy =
      registrator?.bin ??
      (registeredBy ? payerOfSigner({ userId: registeredBy.iin, businessId: registeredBy.bin }) : STRANGER)
    return { asked, withoutOriginals: (asked.doNotAttachDocuments ?? false) || askedBy === STRANGER, askedBy }
  }
}
