import type { Injected } from '../kernel/service.js'
import { DeliveryChannel } from './channel.js'
import { DeliveryQueue } from './delivery-queue.js'

const ROWS_AT_ONCE = 500

/** Deletes old finished deliveries, except records; makes due what a wrong clock put off. */
export class SweepDeliveries {
  static readonly task = { name: 'sweepDeliveries', schedule: '23 * * * *' }
  static readonly inject = { channels: DeliveryChannel, queue: DeliveryQueue }

  constructor(private readonly use: Injected<typeof SweepDeliveries.inject>) {}

  async run(): Promise<void> {
    for (const { name, keepsRecord } of this.use.channels) {
      await this.use.queue.correct(name)
      if (keepsRecord) continue
      while ((await this.use.queue.sweep(name, ROWS_AT_ONCE)) > 0);
    }
  }
}
