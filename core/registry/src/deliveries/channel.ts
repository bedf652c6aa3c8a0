import { port } from '../kernel/port.js'
import type { Delivery, Outcome } from './delivery.js'

/**
 * Sends the deliveries of one channel. What it throws counts as a failed attempt, and so does an attempt that exceeds
 * `timeoutMs`. It may get the same delivery more than once, with the same `id`.
 */
export interface DeliveryChannel {
  /** Unique; at most 32 ASCII characters. */
  readonly name: string
  /** Milliseconds for one attempt, after which `signal` is aborted. */
  readonly timeoutMs: number
  /** Pauses before the second, third … attempt, milliseconds; after the last one a delivery has failed. */
  readonly retriesMs: readonly number[]
  /** Concurrent attempts on one host. */
  readonly atOnce: number
  /** Concurrent attempts on one host for one target. */
  readonly atOncePerTarget: number
  /** True when deliveries are the record of what was sent: they are never deleted. */
  readonly keepsRecord?: boolean
  deliver(delivery: Delivery, signal: AbortSignal): Promise<Outcome>
}
export const DeliveryChannel = port<DeliveryChannel>('DeliveryChannel', 'contribution')

/** Is told of each attempt that ended on this host, for example to count it. */
export interface DeliveryListener {
  /** `state` is that of the delivery after the attempt. */
  attempted(delivery: Delivery, outcome: Outcome, state: Delivery['state']): void
}
export const DeliveryListener = port<DeliveryListener>('DeliveryListener', 'contribution')

/** Intervals for deliveries; all in milliseconds. */
export interface DeliveryTimes {
  /** Between polls for deliveries that other hosts have added. */
  readonly pollMs: number
  /** Life of a lease, which its host renews; the clocks of hosts must differ by much less. */
  readonly leaseMs: number
  /** How long delivered ones are kept. */
  readonly keepDeliveredMs: number
  /** How long failed ones are kept. */
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
