export { vehicleRegistrationArea } from './area.js'
export { IntegrationDelivery } from './delivery-record.js'
export { vehicleErrors } from './errors.js'
export { GetIntegrationRegisterAuto } from './get-integration-register-auto.js'
export { VehicleLimits } from './limits.js'
export {
  type VehicleAnswer,
  type VehicleCatalogue,
  type VehicleDocument,
  VehicleRegistration,
  type VehicleSignature,
} from './ports.js'
export { SetIntegrationRegisterAuto } from './set-integration-register-auto.js'
export { type VehicleConstName, vehicleConsts } from './vehicle-consts.js'
