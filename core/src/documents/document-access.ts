import { type AccessFacts, type Caller, type DocumentAction, documentAccess, ObjectAccess } from '../identity/index.js'
import type { StoredDocument } from './document-store.js'
import { SignatureStore } from './signature-store.js'

/** Decides who may do what with a document, by the access table. */
export class DocumentAccess {
  static readonly inject = [ObjectAccess, SignatureStore] as const

  constructor(
    private readonly access: ObjectAccess,
    private readonly signatures: SignatureStore,
  ) {}

  /** Throws `authenticationRequired` or `accessDenied`. */
  async assertMay(action: DocumentAction, caller: Caller, document: StoredDocument): Promise<void> {
    await this.access.assertMay(documentAccess[action], caller, this.#facts(document))
  }

  #facts({ id, settings, registrator, preregistered, signaturesTotal }: StoredDocument): AccessFacts {
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
        if (caller.kind === 'person') return this.signatures.signedBy(id, caller.iin, undefined)
        return caller.kind === 'employee' && this.signatures.signedBy(id, caller.iin, caller.bin)
      },
      signedByOrganization: (bin) => this.signatures.signedByOrganization(id, bin),
    }
  }
}
