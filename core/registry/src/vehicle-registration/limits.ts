import { limits } from '../kernel/limits.js'

/** Limits of documents for the vehicle-registration authority. */
export interface VehicleLimits {
  /** Roles in `signers`. */
  readonly vehicleSigners: number
  /** Bytes of an original. */
  readonly vehicleOriginalBytes: number
}
export const VehicleLimits = limits<VehicleLimits>('VehicleLimits', {
  vehicleSigners: 20,
  vehicleOriginalBytes: 100 * 1024 * 1024,
})
