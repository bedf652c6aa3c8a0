import type { Delivery, DeliveryChannel, Outcome } from '../deliveries/index.js'
import { DocumentStore, exportedForm, SignatureStore } from '../documents/index.js'
import { RegistryError } from '../kernel/error.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { ReadOriginals } from '../originals/index.js'
import { VehicleLimits } from './limits.js'
import { type VehicleDocument, VehicleRegistration } from './ports.js'
import { SERVICE_ERRORS } from './service-errors.js'
import { VehicleStore } from './vehicle-store.js'

export const VEHICLE_CHANNEL = 'vehicleRegistration'

/** Payload of a delivery by this channel. */
export interface VehiclePayload {
  readonly documentId: string
}

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
/** The authority is down or overloaded: all deliveries wait. */
const OVERLOADED = new Set([429, 502, 503, 504])

/** Assembles documents for the authority and interprets its answers. */
export class VehicleChannel implements DeliveryChannel {
  static readonly inject = {
    authority: VehicleRegistration,
    registrations: VehicleStore,
    documents: DocumentStore,
    signatures: SignatureStore,
    originals: ReadOriginals,
    limits: VehicleLimits,
    logger: Logger,
  }
  readonly name = VEHICLE_CHANNEL
  readonly timeoutMs = 2 * MINUTE
  readonly retriesMs = [5 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR, 6 * HOUR, 24 * HOUR, 24 * HOUR, 24 * HOUR]
  readonly atOnce = 4
  readonly atOncePerTarget = 4
  /** The delivery is the document's permanent record. */
  readonly keepsRecord = true

  constructor(private readonly use: Injected<typeof VehicleChannel.inject>) {}

  async deliver(delivery: Delivery, signal: AbortSignal): Promise<Outcome> {
    const { authority } = this.use
    if (authority === undefined) return { state: 'later', error: SERVICE_ERRORS.noPlugin.message }
    const { documentId } = delivery.payload as VehiclePayload
    const prepared = await this.prepare(delivery.id, documentId, signal).catch((error: unknown) => {
      const isGone = error instanceof RegistryError && error.code === 'archiveNotFound'
      if (isGone) return SERVICE_ERRORS.notStored.message
      throw error
    })
    if (typeof prepared === 'string') return { state: 'failed', error: prepared }
    try {
      const { outcome, text: answer, status, afterMs } = await authority.forward(prepared)
      if (outcome === 'accepted') return { state: 'delivered', answer, status }
      const error = status === undefined ? 'The authority refused' : `The authority answered ${status}`
      if (outcome === 'refused') return { state: 'failed', error, answer, status }
      const restTarget = afterMs !== undefined || OVERLOADED.has(status ?? 0)
      return { state: 'later', error, answer, status, afterMs, restTarget }
    } catch (error) {
      this.use.logger.warn('The authority that registers vehicles gave no answer', { documentId, error })
      return { state: 'later', error: SERVICE_ERRORS.noAnswer.message, restTarget: true }
    }
  }

  /** The document for the authority, or why it can never be sent. */
  private async prepare(
    deliveryId: string,
    documentId: string,
    signal: AbortSignal,
  ): Promise<VehicleDocument | string> {
    const { title } = await this.use.documents.get(documentId)
    const { documentTypeCode, signers } = await this.use.registrations.get(documentId)
    const original = await this.use.originals.open(documentId)
    if (original.size > this.use.limits.vehicleOriginalBytes) return SERVICE_ERRORS.tooLarge.message
    const stored = await this.use.signatures.pageWithEvidence(documentId, 0, signers.length)
    const signatures: VehicleDocument['signatures'] = await Promise.all(
      stored.map(async (signature, n) => ({
        signId: signature.signId,
        signer: signers[n] ?? '',
        signType: signature.facts.signType,
        userId: signature.facts.userId,
        businessId: signature.facts.businessId,
        bytes: exportedForm(signature, await this.use.signatures.evidence(signature), {}).bytes,
      })),
    )
    const { size } = original
    return {
      deliveryId,
      documentId,
      title,
      documentTypeCode,
      original: { size, bytes: original.bytes() },
      signatures,
      signal,
    }
  }
}
