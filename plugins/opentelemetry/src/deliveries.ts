import { SpanKind } from '@opentelemetry/api'
import type { DeliveryChannel, Outcome, WebhookSender } from '@signed-registry/core'
import type { Ended, Spans } from './spans.js'
import { continuing, currentTraceparent, readTraceparent } from './trace-context.js'

/** A channel, each attempt of which is a span in the trace of what caused the delivery, on whichever host it is made. */
export const tracedChannel = (channel: DeliveryChannel, spans: Spans): DeliveryChannel => ({
  name: channel.name,
  timeoutMs: channel.timeoutMs,
  retriesMs: channel.retriesMs,
  atOnce: channel.atOnce,
  atOncePerTarget: channel.atOncePerTarget,
  ...(channel.keepsRecord !== undefined && { keepsRecord: channel.keepsRecord }),
  deliver(delivery, signal) {
    const attributes = { 'registry.delivery.id': delivery.id, 'registry.delivery.attempt': delivery.attempts + 1 }
    const options = { kind: SpanKind.CLIENT, attributes }
    const work = () => channel.deliver(delivery, signal)
    const parent = continuing(readTraceparent(delivery.traceparent))
    return spans.during(`deliver ${channel.name}`, options, work, { parent, signal, ended })
  },
})

const ended = ({ state, status }: Outcome): Ended => ({
  attributes: {
    'registry.delivery.outcome': state,
    ...(status !== undefined && { 'registry.delivery.status': status }),
  },
  isError: state !== 'delivered',
})

/** A sender of webhooks that carry the trace: `traceparent` alone, since the receiver is somebody else's. */
export const tracedSender = (sender: WebhookSender): WebhookSender => ({
  post(request) {
    const traceparent = currentTraceparent()
    if (traceparent === undefined) return sender.post(request)
    return sender.post({ ...request, headers: { ...request.headers, traceparent } })
  },
})
