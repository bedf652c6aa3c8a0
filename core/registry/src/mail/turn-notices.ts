import { AwaitedSigners, type DocumentRecord, DocumentStore, RoutedItems } from '../documents/index.js'
import type { RegistryEvent } from '../events/index.js'
import type { Injected } from '../kernel/service.js'
import { MailBudget, payerOfSigner } from '../notifications/index.js'
import { PackageStore } from '../packages/index.js'
import type { Notice } from './notices.js'
import { RoutingAddresses } from './routing-addresses.js'

type Rule = { readonly iin?: string | undefined; readonly bin?: string | undefined }
type Signed = Extract<RegistryEvent, { type: 'signatureRegistered' }>

/** Tells the next signer of a document with an order of signers that it is their turn. */
export class TurnNotices {
  static readonly inject = {
    documents: DocumentStore,
    packages: PackageStore,
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
  async ofCompleted(eventId: string, document: DocumentRecord): Promise<Notice[]> {
    return isOrdered(document) ? this.ofNext(eventId, document, false) : []
  }

  private async ofNext(eventId: string, document: DocumentRecord, asPackage: boolean): Promise<Notice[]> {
    const { id: documentId, packageId } = document
    const next = (await this.use.awaited.of(document)).find((one) => one.next)
    const party = next?.bin ?? next?.iin
    if (next === undefined || party === undefined || !(await this.mayView(document, next, party))) return []
    const address = await this.use.addresses.of(party, 'signerTurn')
    const isTold = asPackage && packageId !== undefined && (await this.mayViewPackage(packageId, next, party))
    const subject = isTold ? { packageId } : { documentId }
    return address === undefined ? [] : [{ ...address, owner: party, eventId, news: { kind: 'signerTurn', subject } }]
  }

  /** Naming a signer gives no access to a private document, so its title must not go out by mail to them. */
  private async mayView({ id, packageId, settings }: DocumentRecord, next: Rule, party: string): Promise<boolean> {
    if (settings.private !== true || names(settings.documentAccess ?? [], next)) return true
    return this.use.routed.wasDelivered(party, id, ...(packageId === undefined ? [] : [packageId]))
  }

  private async mayViewPackage(packageId: string, next: Rule, party: string): Promise<boolean> {
    const { settings } = await this.use.packages.get(packageId)
    return !settings.private || names(settings.packageAccess, next) || this.use.routed.wasDelivered(party, packageId)
  }
}

/** Whether an access rule is for the one who is awaited, and for nobody else of their organization. */
const names = (rules: readonly Rule[], next: Rule): boolean =>
  rules.some(({ iin, bin }) => iin === next.iin && bin === next.bin)

const isOrdered = ({ settings }: DocumentRecord): boolean => settings.sequentialSignersRequirements === true
