import { DeliveryChannel } from '../deliveries/index.js'
import { Forwarding } from '../documents/index.js'
import { EventSubscriber } from '../events/index.js'
import { provideLimits } from '../kernel/limits.js'
import { area } from '../kernel/part.js'
import { provide, provideValue } from '../kernel/service.js'
import { DeliveryRecords } from './delivery-record.js'
import { vehicleErrors } from './errors.js'
import { ForwardDocuments } from './forward-documents.js'
import { VehicleLimits } from './limits.js'
import * as vehicleRegistrations from './migrations/0075-vehicle-registrations.js'
import * as operations from './operations.js'
import { VehicleRegistration } from './ports.js'
import { VehicleChannel } from './vehicle-channel.js'
import { VehicleStore } from './vehicle-store.js'

export const vehicleRegistrationArea = area({
  name: 'vehicle-registration',
  errors: [vehicleErrors],
  migrations: { '0075-vehicle-registrations': vehicleRegistrations },
  services: [VehicleStore, VehicleChannel, ForwardDocuments, DeliveryRecords],
  provides: [
    provideLimits(VehicleLimits),
    provideValue(VehicleRegistration, undefined),
    provide(Forwarding, ForwardDocuments),
    provide(EventSubscriber, ForwardDocuments),
    provide(DeliveryChannel, VehicleChannel),
  ],
  operations: Object.values(operations),
})
