import { Database } from '../database/database.js'
import { Clock } from '../kernel/clock.js'
import { Logger } from '../kernel/logger.js'
import type { Injected } from '../kernel/service.js'
import { DeliveryChannel, DeliveryListener, DeliveryTimes } from './channel.js'
import { ChannelWorker } from './channel-worker.js'
import { Deliveries } from './deliveries.js'
import { DeliveryQueue, type QueueDepth } from './delivery-queue.js'

/** Runs a worker for each channel between `start` and `stop`. */
export class DeliveryWorkers {
  static readonly inject = {
    database: Database,
    channels: DeliveryChannel,
    deliveries: Deliveries,
    queue: DeliveryQueue,
    listeners: DeliveryListener,
    times: DeliveryTimes,
    clock: Clock,
    logger: Logger,
  }
  private readonly workers = new Map<string, ChannelWorker>()

  constructor(private readonly use: Injected<typeof DeliveryWorkers.inject>) {
    for (const channel of use.channels) {
      if (this.workers.has(channel.name)) throw new TypeError(`Two channels are called ${channel.name}`)
      this.workers.set(channel.name, new ChannelWorker(channel, use))
    }
  }

  start(): void {
    for (const worker of this.workers.values()) worker.start()
  }

  /** Resolves when the attempts under way have ended. */
  async stop(): Promise<void> {
    await Promise.all([...this.workers.values()].map((worker) => worker.stop()))
  }

  /** The backlog of each channel. */
  async depths(): Promise<readonly (QueueDepth & { readonly channel: string })[]> {
    return Promise.all(
      [...this.workers.keys()].map(async (channel) => ({ channel, ...(await this.use.queue.depth(channel)) })),
    )
  }
}
