export { deliveriesArea, deliveryOperations } from './area.js'
export { DeliveryChannel, DeliveryListener, DeliveryTimes, defaultDeliveryTimes } from './channel.js'
export { Deliveries, type DeliveryQuery, type DeliverySelection } from './deliveries.js'
export {
  type Attempt,
  type Delivery,
  type DeliveryState,
  HOST_STOPPED,
  type NewDelivery,
  type Outcome,
} from './delivery.js'
export { DeliveryQueue, type QueueDepth } from './delivery-queue.js'
export { DeliveryWorkers } from './delivery-workers.js'
export { OperateDeliveries, type OperatorQuery, type OperatorSelection } from './operate-deliveries.js'
