import Type, { type Static } from 'typebox'
import { type Attempt, Deliveries, type Delivery } from '../deliveries/index.js'
import { IntegrationRegisterAuto } from '../documents/index.js'
import type { Injected } from '../kernel/service.js'
import { VEHICLE_CHANNEL } from './vehicle-channel.js'
import { SOURCES, type VehicleRecord } from './vehicle-store.js'

/** `new` until the original and all signatures are there; then the state of its delivery. */
export const STATUSES = ['new', 'waiting', 'sending', 'delivered', 'failed'] as const

/** State of a forwarded document (specification, "Delivery record for vehicle-registration integration"). */
export const IntegrationDelivery = Type.Object(
  {
    documentId: Type.String(),
    storedAt: Type.Integer(),
    source: Type.Enum([...SOURCES]),
    deliveryStartedAt: Type.Optional(
      Type.Integer({ description: 'when the original and all signatures were there; milliseconds' }),
    ),
    attempts: Type.Integer({ description: 'those that were begun' }),
    lastRetriedAt: Type.Optional(Type.Integer({ description: 'when the last attempt after the first one began' })),
    status: Type.Enum([...STATUSES]),
    settings: IntegrationRegisterAuto,
    errors: Type.Optional(
      Type.Object(
        {
          integration: Type.Optional(Type.String({ description: 'what the authority said last against it' })),
          service: Type.Optional(Type.String({ description: 'why the last attempt without its answer failed' })),
        },
        { description: 'absent once it is delivered' },
      ),
    ),
  },
  { $id: 'IntegrationDelivery' },
)
export type IntegrationDelivery = Static<typeof IntegrationDelivery>

/** Builds the delivery records of forwarded documents. */
export class DeliveryRecords {
  static readonly inject = { deliveries: Deliveries }

  constructor(private readonly use: Injected<typeof DeliveryRecords.inject>) {}

  async of({ documentId, storedAt, source, documentTypeCode, signers }: VehicleRecord): Promise<IntegrationDelivery> {
    const [delivery] = await this.use.deliveries.page({ owner: documentId, channel: VEHICLE_CHANNEL }, 1)
    const known = { documentId, storedAt, source, settings: { documentTypeCode, signers: [...signers] } }
    if (delivery === undefined) return { ...known, attempts: 0, status: 'new' }
    const attempts = await this.use.deliveries.attempts([delivery.id])
    const last = attempts.at(-1)
    const errors = errorsOf(delivery, attempts)
    return {
      ...known,
      deliveryStartedAt: delivery.createdAt,
      attempts: delivery.attempts,
      ...(last !== undefined && last.attempt > 1 && { lastRetriedAt: last.startedAt }),
      status: delivery.state,
      ...(errors !== undefined && { errors }),
    }
  }
}

/** The last error of each kind: refused by the authority, or failed without its answer. */
function errorsOf({ state }: Delivery, attempts: readonly Attempt[]): IntegrationDelivery['errors'] {
  if (state === 'delivered') return undefined
  const failed = attempts.filter(({ outcome }) => outcome !== 'delivered').reverse()
  const integration = failed.find(({ answer }) => answer !== undefined)
  const service = failed.find(({ answer }) => answer === undefined)
  if (integration === undefined && service === undefined) return undefined
  return {
    ...(integration && { integration: integration.answer || integration.error || '' }),
    ...(service?.error !== undefined && { service: service.error }),
  }
}
