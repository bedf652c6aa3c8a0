import {
  type AccessFacts,
  type Caller,
  type DocumentAction,
  documentAccess,
  ObjectAccess,
  organizationOf,
} from '../identity/index.js'
import type { Injected } from '../kernel/service.js'
import { isOpenForNow } from './digest-openings.js'
import type { DocumentRecord } from './document-store.js'
import { PackageRules, RoutedItems } from './ports.js'
import { SignatureStore } from './signature-store.js'

/** Who made a signature. */
interface Signatory {
  readonly userId: string
  readonly businessId: string | undefined
}

/** Decides by the access table who may do what with a document. */
export class DocumentAccess {
  static readonly inject = {
    access: ObjectAccess,
    signatures: SignatureStore,
    packages: PackageRules,
    routed: RoutedItems,
  }

  constructor(private readonly use: Injected<typeof DocumentAccess.inject>) {}

  /** Throws `authenticationRequired` or `accessDenied`. Signatures that were read already save a query. */
  async assertMay(
    action: DocumentAction,
    caller: Caller,
    document: DocumentRecord,
    atHand: readonly Signatory[] = [],
  ): Promise<void> {
    await this.use.access.assertMay(documentAccess[action], caller, this.facts(document, atHand))
  }

  async may(action: DocumentAction, caller: Caller, document: DocumentRecord): Promise<boolean> {
    return this.use.access.may(documentAccess[action], caller, this.facts(document, []))
  }

  /**
   * Whether the caller is told who else sent and received it. Where it is open to everyone, anybody may sign it or send it to
   * themselves: there only its first signer, who registered it and who is named in its settings count.
   */
  async isParty(caller: Caller, document: DocumentRecord): Promise<boolean> {
    if (document.settings.private === true && !isOpenForNow(document)) return this.may('view', caller, document)
    const closed = { private: true, publicDuringPreregistration: false, publicWhileLessThanSignatures: 0 }
    const facts = this.facts({ ...document, settings: { ...document.settings, ...closed } }, [])
    const first = async () => (await this.use.signatures.writtenPage(document.id, 0, 1))[0]
    return this.use.access.may(documentAccess.view, caller, {
      ...facts,
      async signedBy(one) {
        if (one.kind !== 'person' && one.kind !== 'employee') return false
        const { userId, businessId } = (await first()) ?? {}
        return userId === one.iin && businessId === organizationOf(one)
      },
      signedByOrganization: async (bin) => (await first())?.businessId === bin,
      receivedBy: async () => false,
    })
  }

  private facts(document: DocumentRecord, atHand: readonly Signatory[]): AccessFacts {
    const { id, packageId, settings, registrator } = document
    return {
      isPrivate: settings.private ?? false,
      openForNow: () => isOpenForNow(document),
      accessRules: settings.documentAccess ?? [],
      settingsRules: [],
      registrator: registrator?.bin,
      registeredBy: async (caller) => packageId !== undefined && this.use.packages.registeredBy(packageId, caller),
      signedBy: async (caller) => {
        if (caller.kind !== 'person' && caller.kind !== 'employee') return false
        const bin = organizationOf(caller)
        const isOwn = ({ userId, businessId }: Signatory) => userId === caller.iin && businessId === bin
        return atHand.some(isOwn) || this.use.signatures.signedBy(id, caller.iin, bin)
      },
      signedByOrganization: async (bin) =>
        atHand.some(({ businessId }) => businessId === bin) || this.use.signatures.signedByOrganization(id, bin),
      // Sending a package opens its documents to the receiver.
      receivedBy: (party) => this.use.routed.wasDelivered(party, id, ...(packageId === undefined ? [] : [packageId])),
    }
  }
}
