import type { NewDelivery } from '../deliveries/index.js'
import { DocumentStore, SignatureStore } from '../documents/index.js'
import type { EventSubscriber, RegistryEvent } from '../events/index.js'
import type { Injected } from '../kernel/service.js'
import { OrganizationStore, Subscriptions } from '../organizations/index.js'
import { PackageStore } from '../packages/index.js'
import { WebhookSender } from './sender.js'
import { WEBHOOK_CHANNEL, type WebhookPayload } from './webhook-channel.js'
import { WebhookStore } from './webhook-store.js'

type ProcedureEvent = Extract<RegistryEvent, { type: 'procedureChanged' }>
type ItemEvent = Extract<RegistryEvent, { itemId: string }>
type List = 'urls' | 'routingUrls'

/** A notification of one organization. */
interface Notice {
  readonly bin: string
  readonly list: List
  readonly eventId: string
  readonly body: object
}

/** Turns events into webhooks (specification, "Webhooks"). */
export class WebhookSubscriber implements EventSubscriber {
  static readonly inject = {
    sender: WebhookSender,
    documents: DocumentStore,
    packages: PackageStore,
    signatures: SignatureStore,
    organizations: OrganizationStore,
    subscriptions: Subscriptions,
    webhooks: WebhookStore,
  }

  constructor(private readonly use: Injected<typeof WebhookSubscriber.inject>) {}

  async deliveriesFor(events: readonly RegistryEvent[]): Promise<readonly NewDelivery[]> {
    if (this.use.sender === undefined) return []
    const notices = [
      ...(await this.ofSignatures(events)),
      ...(await this.ofProcedures(events.filter((event) => event.type === 'procedureChanged'))),
      ...events.flatMap((event) => ('itemId' in event ? noticesOfItem(event) : [])),
    ]
    return notices.length === 0 ? [] : this.deliveries(notices)
  }

  /**
   * A signature is reported to the organization that it was made for, to those whose employees signed the document before,
   * and to the one whose system registered it.
   */
  private async ofSignatures(all: readonly RegistryEvent[]): Promise<Notice[]> {
    const events = all.filter((event) => event.type === 'signatureRegistered')
    if (events.length === 0) return []
    // A document that is being registered has no earlier signers.
    const registrators = new Map(
      all.flatMap((event) => (event.type === 'documentRegistered' ? [[event.documentId, event.businessId]] : [])),
    )
    const ids = [...new Set(events.map(({ documentId }) => documentId))].filter((id) => !registrators.has(id))
    const signers = ids.length === 0 ? undefined : await this.use.signatures.organizationsOf(ids)
    for (const { id, registrator } of ids.length === 0 ? [] : await this.use.documents.list(ids)) {
      registrators.set(id, registrator?.bin)
    }
    return events.flatMap(({ eventId, documentId, signId, packageId, businessId }) => {
      const told = new Set([...(signers?.get(documentId) ?? []), businessId, registrators.get(documentId)])
      const body = { ...(packageId !== undefined && { packageId }), documentId, signId }
      return [...told].flatMap((bin) => (bin === undefined ? [] : [{ bin, list: 'urls', eventId, body } as const]))
    })
  }

  /**
   * A procedure is reported to the organization that began it, and to those that signatures under its document are reported to;
   * for a package, to the one whose system registered it and those whose employees signed its documents.
   */
  private async ofProcedures(events: readonly ProcedureEvent[]): Promise<Notice[]> {
    const notices: Notice[] = []
    for (const { eventId, documentId, packageId, operationId, businessId } of events) {
      const found = packageId === undefined ? undefined : await this.use.packages.get(packageId)
      const ids = found?.documentsIds ?? (documentId === undefined ? [] : [documentId])
      const signers = [...(await this.use.signatures.organizationsOf(ids)).values()].flatMap((bins) => [...bins])
      const registrators = (await this.use.documents.list(ids)).map(({ registrator }) => registrator?.bin)
      const body = {
        ...(packageId === undefined ? { documentId } : { packageId }),
        ...{ govOperationId: operationId, egovOperationId: operationId },
      }
      const told = new Set([businessId, found?.registrator?.bin, ...signers, ...registrators])
      for (const bin of told) if (bin !== undefined) notices.push({ bin, list: 'urls', eventId, body })
    }
    return notices
  }

  private async deliveries(notices: readonly Notice[]): Promise<NewDelivery[]> {
    const settings = await this.use.organizations.webhooksOf([...new Set(notices.map(({ bin }) => bin))])
    const posts = notices.flatMap((notice) =>
      [...new Set(settings.get(notice.bin)?.[notice.list])].map((url) => ({ ...notice, url })),
    )
    if (posts.length === 0) return []
    const enabled = await this.use.subscriptions.having('webhooks', [...new Set(posts.map(({ bin }) => bin))])
    const allowed = posts.filter(({ bin }) => enabled.has(bin))
    const records = await this.use.webhooks.ensure(allowed)
    return allowed.flatMap(({ bin, eventId, body }, n) => {
      const webhookId = records[n]?.id
      if (webhookId === undefined) return []
      const payload: WebhookPayload = { webhookId, body }
      return [{ channel: WEBHOOK_CHANNEL, target: webhookId, owner: bin, eventId, payload }]
    })
  }
}

/** A delivered item is reported to both organizations: to the receiver by `incomingId`, to the sender by `outgoingId`. */
function noticesOfItem({ eventId, itemId, status, commentsCount, subject, author, ...event }: ItemEvent): Notice[] {
  if (status === 'sending' || status === 'failed') return []
  // Neither the status nor the comments change.
  if (event.type === 'itemOpened' || event.type === 'itemReminded') return []
  const { sender, receiver } = event
  const facts = { status, commentsCount, ...subject }
  const notices = [
    { bin: receiver, body: { incomingId: itemId, ...facts, sender: author ?? sender, receiver } },
    { bin: sender, body: { outgoingId: itemId, ...facts, sender, receiver, ...(author !== undefined && { author }) } },
  ]
  return notices
    .filter(({ bin }) => bin.startsWith('BIN'))
    .map((notice) => ({ ...notice, list: 'routingUrls' as const, eventId }))
}
