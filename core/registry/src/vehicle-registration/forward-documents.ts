import { Deliveries, type NewDelivery } from '../deliveries/index.js'
import {
  type DocumentRecord,
  DocumentStore,
  documentErrors,
  type Forwarding,
  type IntegrationRegisterAuto,
} from '../documents/index.js'
import type { EventSubscriber, RegistryEvent } from '../events/index.js'
import { Clock } from '../kernel/clock.js'
import type { Injected } from '../kernel/service.js'
import { DataStates } from '../originals/index.js'
import { vehicleErrors } from './errors.js'
import { VehicleLimits } from './limits.js'
import { VehicleRegistration } from './ports.js'
import { VEHICLE_CHANNEL, type VehiclePayload } from './vehicle-channel.js'
import { type VehicleRecord, type VehicleSource, VehicleStore } from './vehicle-store.js'

/** One authority gets everything. */
const TARGET = 'authority'

/** Forwards documents once the original and a signature for each role are there. */
export class ForwardDocuments implements Forwarding, EventSubscriber {
  static readonly inject = {
    authority: VehicleRegistration,
    registrations: VehicleStore,
    documents: DocumentStore,
    deliveries: Deliveries,
    states: DataStates,
    clock: Clock,
    limits: VehicleLimits,
  }

  readonly concerns = new Set(['documentCompleted', 'signatureRegistered'] as const)

  constructor(private readonly use: Injected<typeof ForwardDocuments.inject>) {}

  check({ documentTypeCode, signers }: IntegrationRegisterAuto): void {
    if (this.use.authority === undefined) {
      throw documentErrors.error('fieldNotSupported', { field: 'integrationRegisterAuto' })
    }
    const { documentTypes, signers: roles } = this.use.authority.catalogue
    if (!Object.hasOwn(documentTypes, documentTypeCode)) throw invalid('documentTypeCode')
    const areRoles = signers.every((role) => Object.hasOwn(roles, role))
    if (signers.length === 0 || signers.length > this.use.limits.vehicleSigners || !areRoles) throw invalid('signers')
  }

  async keep(document: DocumentRecord, parameters: IntegrationRegisterAuto, source: VehicleSource): Promise<void> {
    const { documentTypeCode, signers } = parameters
    const record = { documentId: document.id, storedAt: this.use.clock.now(), source, documentTypeCode, signers }
    await this.use.registrations.add(record)
    if (!(await this.isOrMayBeStored(document))) throw vehicleErrors.error('signedDataNotStored')
    if (isReady(document, record)) await this.use.deliveries.add([deliveryOf(record)])
  }

  async deliveriesFor(events: readonly RegistryEvent[]): Promise<readonly NewDelivery[]> {
    if (this.use.authority === undefined) return []
    const ids = events.flatMap((event) => ('documentId' in event && event.documentId ? [event.documentId] : []))
    const waiting: VehicleRecord[] = []
    for (const record of await this.use.registrations.list([...new Set(ids)])) {
      if (!(await this.isUnderWay(record))) waiting.push(record)
    }
    if (waiting.length === 0) return []
    const documents = new Map(
      (await this.use.documents.getAll(waiting.map(({ documentId }) => documentId))).map((one) => [one.id, one]),
    )
    return waiting.filter((record) => isReady(documents.get(record.documentId), record)).map(deliveryOf)
  }

  private async isOrMayBeStored(document: DocumentRecord): Promise<boolean> {
    if (document.digestsFixedAt === undefined) {
      return this.use.states.mayBeStored(document, document.signaturesTotal > 0)
    }
    const { dataArchived, tempStorage } = await this.use.states.kept(document.id)
    return dataArchived || tempStorage
  }

  private isUnderWay({ documentId }: VehicleRecord): Promise<boolean> {
    return this.use.deliveries.has({ owner: documentId, channel: VEHICLE_CHANNEL })
  }
}

const invalid = (field: string) => vehicleErrors.error('invalidIntegrationParameters', { field })

const isReady = (document: DocumentRecord | undefined, { signers }: VehicleRecord): boolean =>
  document?.digestsFixedAt !== undefined && document.signaturesTotal >= signers.length

const deliveryOf = ({ documentId }: VehicleRecord): NewDelivery => {
  const payload: VehiclePayload = { documentId }
  return { channel: VEHICLE_CHANNEL, target: TARGET, owner: documentId, payload }
}
