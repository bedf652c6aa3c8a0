export { saleContracts, VehicleRegistrationOptions, vehicleRegistration } from './vehicle-registration.js'
