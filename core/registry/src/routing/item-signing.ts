import { SignerStore } from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import { PackageStore } from '../packages/index.js'
import type { StoredItem } from './item-store.js'

/** Tells whether receivers have signed what was sent to them. */
export class ItemSigning {
  static readonly inject = { packages: PackageStore, signers: SignerStore }

  constructor(private readonly use: Injected<typeof ItemSigning.inject>) {}

  /** When the receiver had signed the document, or every document of the package; `undefined` before. */
  async signedAt({ subject, receiver }: StoredItem): Promise<number | undefined> {
    if (subject.documentId !== undefined) return this.use.signers.allSignedAt([subject.documentId], receiver)
    const [found] = await this.use.packages.list([subject.packageId])
    return found && this.use.signers.allSignedAt(found.documentsIds, receiver)
  }
}
