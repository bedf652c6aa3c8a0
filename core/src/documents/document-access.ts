import {
  type AccessFacts,
  type Caller,
  type DocumentAction,
  documentAccess,
  ObjectAccess,
  organizationOf,
} from '../identity/index.js'
import type { StoredDocument } from './document-store.js'
import { RoutedItems } from './ports.js'
import { SignatureStore, type StoredSignature } from './signature-store.js'

/** Decides who may do what with a document, by the access table. */
export class DocumentAccess {
  static readonly inject = [ObjectAccess, SignatureStore, RoutedItems] as const

  constructor(
    private readonly access: ObjectAccess,
    private readonly signatures: SignatureStore,
    private readonly routed: RoutedItems,
  ) {}

  /** Throws `authenticationRequired` or `accessDenied`. Signatures that were read already save a question to the database. */
  async assertMay(
    action: DocumentAction,
    caller: Caller,
    document: StoredDocument,
    atHand: readonly StoredSignature[] = [],
  ): Promise<void> {
    await this.access.assertMay(documentAccess[action], caller, this.#facts(document, atHand))
  }

  #facts(document: StoredDocument, atHand: readonly StoredSignature[]): AccessFacts {
    const { id, packageId, settings, registrator, preregistered, signaturesTotal } = document
    const { publicDuringPreregistration = false, publicWhileLessThanSignatures = 0 } = settings
    return {
      isPrivate: settings.private ?? false,
      openForNow:
        (publicDuringPreregistration && preregistered && signaturesTotal === 0) ||
        signaturesTotal < publicWhileLessThanSignatures,
      accessRules: settings.documentAccess ?? [],
      settingsRules: [],
      registrator: registrator?.bin,
      registeredBy: () => false,
      signedBy: async (caller) => {
        if (caller.kind !== 'person' && caller.kind !== 'employee') return false
        const bin = organizationOf(caller)
        const isOwn = ({ facts }: StoredSignature) => facts.userId === caller.iin && facts.businessId === bin
        return atHand.some(isOwn) || this.signatures.signedBy(id, caller.iin, bin)
      },
      signedByOrganization: async (bin) =>
        atHand.some(({ facts }) => facts.businessId === bin) || this.signatures.signedByOrganization(id, bin),
      // A package that was sent opens its documents to its receiver.
      receivedBy: (party) => this.routed.wasDelivered(party, id, ...(packageId === undefined ? [] : [packageId])),
    }
  }
}
