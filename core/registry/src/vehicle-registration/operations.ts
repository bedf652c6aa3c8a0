export type { IntegrationDelivery } from './delivery-record.js'
export { GetIntegrationRegisterAuto } from './get-integration-register-auto.js'
export { SetIntegrationRegisterAuto } from './set-integration-register-auto.js'
