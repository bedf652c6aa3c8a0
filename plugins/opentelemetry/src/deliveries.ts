import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { DeliveryChannel, WebhookSender } from '@signed-registry/core'
import type { Spans } from './spans.js'
import { currentTraceparent, readTraceparent } from './trace-context.js'

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
    const cause = readTraceparent(delivery.traceparent)
    const parent = cause === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, cause)
    const work = () => channel.deliver(delivery, signal)
    return spans.during(
      `deliver ${channel.name}`,
      { kind: SpanKind.PRODUCER, attributes },
      async (span) => {
        const outcome = await work()
        span.setAttribute('registry.delivery.outcome', outcome.state)
        if (outcome.status !== undefined) span.setAttribute('registry.delivery.status', outcome.status)
        if (outcome.state !== 'delivered') span.setStatus({ code: SpanStatusCode.ERROR })
        return outcome
      },
      parent,
    )
  },
})

/** A sender of webhooks that carry on the trace: `traceparent` alone, since the receiver is somebody else's. */
export const tracedSender = (sender: WebhookSender): WebhookSender => ({
  post(request) {
    const traceparent = currentTraceparent()
    if (traceparent === undefined) return sender.post(request)
    return sender.post({ ...request, headers: { ...request.headers, traceparent } })
  },
})
