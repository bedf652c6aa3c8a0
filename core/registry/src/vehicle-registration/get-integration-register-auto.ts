import { DocumentParams, onDocument } from '../documents/index.js'
import type { Caller } from '../identity/index.js'
import { type Input, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { DeliveryRecords, IntegrationDelivery } from './delivery-record.js'
import { VehicleStore } from './vehicle-store.js'

/** Answers the state of a forwarded document (specification, `GET /api/{id}/integrationRegisterAuto`). */
export class GetIntegrationRegisterAuto {
  static readonly operation = operation({
    id: 'getIntegrationRegisterAuto',
    group: 'documents',
    at: 'GET /:id/integrationRegisterAuto',
    who: onDocument('act'),
    summary: 'What has become of a document that is forwarded to the authority that registers vehicles',
    description:
      'Attempts, times, status and the last error of either side; sources and statuses are in `GET /api/strings`.',
    params: DocumentParams,
    answer: IntegrationDelivery,
    refuses: ['integrationNotFound'],
  })
  static readonly inject = { registrations: VehicleStore, records: DeliveryRecords }

  constructor(private readonly use: Injected<typeof GetIntegrationRegisterAuto.inject>) {}

  async execute(
    _caller: Caller,
    { id }: Input<typeof GetIntegrationRegisterAuto.operation>,
  ): Promise<IntegrationDelivery> {
    return this.use.records.of(await this.use.registrations.get(id))
  }
}
