import { port } from '../kernel/port.js'
import type { Delivery, Outcome } from './delivery.js'

/**
 * Contribution: carries the deliveries of one channel. It need not be careful: what it throws counts as a failed attempt,
 * and an attempt that outlives its time is given up. It may get the same delivery more than once, with the same `id`.
 */
export interface DeliveryChannel {
  /** Unique; at most 32 ASCII characters. */
  readonly name: string
  /** For one attempt, milliseconds. `signal` is aborted after it. */
  readonly timeoutMs: number
  /** Pauses before the second, third … attempt, milliseconds; after the last one a delivery has failed. */
  readonly retriesMs: readonly number[]
  /** Attempts at once on one host. */
  readonly atOnce: number
  /** Attempts at once on one host for one target. */
  readonly atOncePerTarget: number
  /** True where deliveries are the record of what was sent: they are never forgotten. */
  readonly keepsRecord?: boolean
  deliver(delivery: Delivery, signal: AbortSignal): Promise<Outcome>
}
export const DeliveryChannel = port<DeliveryChannel>('DeliveryChannel', 'contribution')

/** Contribution: hears of each attempt that ended on this host, such as to count it. */
export interface DeliveryListener {
  /** `state` is that of the delivery from now on. */
  attempted(delivery: Delivery, outcome: Outcome, state: Delivery['state']): void
}
export const DeliveryListener = port<DeliveryListener>('DeliveryListener', 'contribution')

/** How deliveries are worked off and kept; all in milliseconds. */
export interface DeliveryTimes {
  /** Between two looks for what other hosts have made. */
  readonly pollMs: number
  /** How long others wait for a host that shows no sign of life; it renews what it holds. Clocks of hosts must agree much better. */
  readonly leaseMs: number
  /** How long deliveries that arrived are kept. */
  readonly keepDeliveredMs: number
  /** How long deliveries that failed are kept. */
  readonly keepFailedMs: number
}
export const DeliveryTimes = port<DeliveryTimes>('DeliveryTimes', 'defaulted')

const DAY = 24 * 60 * 60 * 1000
export const defaultDeliveryTimes: DeliveryTimes = {
  pollMs: 1000,
  leaseMs: 30_000,
  keepDeliveredMs: 14 * DAY,
  keepFailedMs: 60 * DAY,
}
