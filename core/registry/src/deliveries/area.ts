import { area } from '../kernel/part.js'
import { provideValue } from '../kernel/service.js'
import { DeliveryTimes, defaultDeliveryTimes } from './channel.js'
import { Deliveries } from './deliveries.js'
import { DeliveryQueue } from './delivery-queue.js'
import { DeliveryWorkers } from './delivery-workers.js'
import * as deliveries from './migrations/0050-deliveries.js'
import * as askedDeliveries from './migrations/0142-asked-deliveries.js'
import * as deliveryHosts from './migrations/0200-delivery-hosts.js'
import * as deliveryTraces from './migrations/0230-delivery-traces.js'
import { OperateDeliveries } from './operate-deliveries.js'
import { SweepDeliveries } from './sweep-deliveries.js'

/** The part of the area for the operator's commands. */
export const deliveryOperations = area({ name: 'deliveries', services: [OperateDeliveries] })

export const deliveriesArea = area({
  name: 'deliveries',
  migrations: {
    '0050-deliveries': deliveries,
    '0142-asked-deliveries': askedDeliveries,
    '0200-delivery-hosts': deliveryHosts,
    '0230-delivery-traces': deliveryTraces,
  },
  provides: [provideValue(DeliveryTimes, defaultDeliveryTimes)],
  services: [Deliveries, DeliveryQueue, DeliveryWorkers, OperateDeliveries],
  tasks: [SweepDeliveries],
})
