import { Database } from '../database/database.js'
import {
  DocumentAccess,
  DocumentParams,
  DocumentStore,
  Forwarding,
  IntegrationRegisterAuto,
  onDocument,
} from '../documents/index.js'
import { byItself, type Caller, organizationOf } from '../identity/index.js'
import { type Input, keepNothing, operation } from '../kernel/operation.js'
import type { Injected } from '../kernel/service.js'
import { Subscriptions } from '../organizations/index.js'
import { DeliveryRecords, IntegrationDelivery } from './delivery-record.js'
import { VehicleStore } from './vehicle-store.js'

/** Forwards a registered document, once (specification, `POST /api/{id}/integrationRegisterAuto`). */
export class SetIntegrationRegisterAuto {
  static readonly operation = operation({
    id: 'setIntegrationRegisterAuto',
    group: 'documents',
    at: 'POST /:id/integrationRegisterAuto',
    who: byItself(onDocument('act')),
    summary: 'Forward a document to the authority that registers vehicles; the parameters are set once',
    description:
      'The original must be stored. The document goes out once it has a signature for each of `signers`; the codes are in `GET /api/strings`.',
    params: DocumentParams,
    request: IntegrationRegisterAuto,
    answer: IntegrationDelivery,
    idempotent: true,
    refuses: [
      'featureNotAvailable',
      'fieldNotSupported',
      'integrationAlreadySet',
      'invalidIntegrationParameters',
      'signedDataNotStored',
    ],
  })
  static readonly inject = {
    documents: DocumentStore,
    access: DocumentAccess,
    forwarding: Forwarding,
    features: Subscriptions,
    registrations: VehicleStore,
    records: DeliveryRecords,
    database: Database,
  }

  constructor(private readonly use: Injected<typeof SetIntegrationRegisterAuto.inject>) {}

  async execute(
    caller: Caller,
    { id, request, keep = keepNothing }: Input<typeof SetIntegrationRegisterAuto.operation>,
  ): Promise<IntegrationDelivery> {
    return this.use.database.transaction(async () => {
      // Locked, so that neither the original nor a signature arrives meanwhile.
      const document = await this.use.documents.lockEverywhere(id)
      await this.use.access.assertMay('act', caller, document)
      this.use.forwarding.check(request)
      await this.use.features.assertEnabled(organizationOf(caller), 'vehicleRegistration')
      await this.use.forwarding.keep(document, request, 'request')
      return keep(await this.use.records.of(await this.use.registrations.get(id)))
    })
  }
}
