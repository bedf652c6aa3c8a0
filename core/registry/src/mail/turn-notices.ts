import { AwaitedSigners, type DocumentRecord, DocumentStore, RoutedItems } from '../documents/index.js'
import type { RegistryEvent } from '../events/index.js'
import type { Injected } from '../kernel/service.js'
import { MailBudget, payerOfSigner } from '../notifications/index.js'
import type { Notice } from './notices.js'
import { RoutingAddresses } from './routing-addresses.js'

type Signed = Extract<RegistryEvent, { type: 'signatureRegistered' }>

/** Tells the next signer of a document with an order of signers that it is their turn. */
export class TurnNotices {
  static readonly inject = {
    documents: DocumentStore,
    awaited: AwaitedSigners,
    routed: RoutedItems,
    addresses: RoutingAddresses,
    budget: MailBudget,
  }

  constructor(private readonly use: Injected<typeof TurnNotices.inject>) {}

  /** After signatures under completed documents; one mail covers all documents of a package that were signed at once. */
  async ofSignatures(events: readonly Signed[]): Promise<Notice[]> {
    const notices: Notice[] = []
    const packages = new Set<string>()
    for (const { eventId, documentId, packageId, withWholePackage, userId, businessId } of events) {
      if (withWholePackage === true && packageId !== undefined) {
        if (packages.has(packageId)) continue
        packages.add(packageId)
      }
      const document = await this.use.documents.get(documentId)
      if (document.digestsFixedAt === undefined || !isOrdered(document)) continue
      if (!(await this.use.budget.fits(payerOfSigner({ userId, businessId }), 1))) continue
      notices.push(...(await this.ofNext(eventId, document, withWholePackage === true)))
    }
    return notices
  }

  /** After the completion of a document. */
  async ofCompleted(eventId: string, documentId: string): Promise<Notice[]> {
    const document = await this.use.documents.get(documentId)
    return isOrdered(document) && document.packageId === undefined ? this.ofNext(eventId, document, false) : []
  }

  private async ofNext(eventId: string, document: DocumentRecord, asPackage: boolean): Promise<Notice[]> {
    const { id: documentId, packageId } = document
    const next = (await this.use.awaited.of(document)).find((one) => one.next)
    const party = next?.bin ?? next?.iin
    if (party === undefined || !(await this.mayView(document, party))) return []
    const address = await this.use.addresses.of(party, 'signerTurn')
    const subject = asPackage && packageId !== undefined ? { packageId } : { documentId }
    return address === undefined ? [] : [{ ...address, owner: party, eventId, news: { kind: 'signerTurn', subject } }]
  }

  /** Whoever names a signer of a private document has not let them see it: its title stays out of mails to them. */
  private async mayView({ id, packageId, settings }: DocumentRecord, party: string): Promise<boolean> {
    if (settings.private !== true) return true
    if (settings.documentAccess?.some(({ iin, bin }) => (bin ?? iin) === party) === true) return true
    return this.use.routed.wasDelivered(party, id, ...(packageId === undefined ? [] : [packageId]))
  }
}

const isOrdered = ({ settings }: DocumentRecord): boolean => settings.sequentialSignersRequirements === true
