import {
  addressTest,
  DeliveryChannel,
  definePlugin,
  isNetwork,
  provide,
  Tracer,
  WebhookSender,
  watch,
} from '@signed-registry/core'
import { SignatureVerifier, StatusSource, TimestampSource } from '@signed-registry/core/signatures'
import { type Static, Type } from 'typebox'
import { tracedChannel, tracedSender } from './deliveries.js'
import { flush } from './flush.js'
import { OpenTelemetryTracer } from './opentelemetry-tracer.js'
import { tracedStatuses, tracedTimestamps, tracedVerifier } from './signatures.js'
import { Spans } from './spans.js'

/** Options of `openTelemetry`. */
export const OpenTelemetryOptions = Type.Object(
  {
    continueFrom: Type.Optional(
      Type.Array(
        Type.Refine(Type.String(), isNetwork, () => 'is no address and no network'),
        {
          description: 'addresses or networks of peers whose traces are continued; none unless given',
        },
      ),
    ),
  },
  { additionalProperties: false },
)
export type OpenTelemetryOptions = Static<typeof OpenTelemetryOptions>

/**
 * Traces requests, verifications, authorities, SQL and deliveries through the API of OpenTelemetry: to the SDK that the
 * application has registered, and to nobody where it has none.
 */
export const openTelemetry = definePlugin({
  name: 'opentelemetry',
  options: OpenTelemetryOptions,
  parts: ({ continueFrom = [] }) => {
    const spans = new Spans()
    return {
      provides: [
        provide(Tracer, { make: () => new OpenTelemetryTracer(spans, addressTest(continueFrom)), close: flush }),
      ],
      watches: [
        watch(SignatureVerifier, (verifier) => tracedVerifier(verifier, spans)),
        watch(TimestampSource, (source) => tracedTimestamps(source, spans)),
        watch(StatusSource, (source) => tracedStatuses(source, spans)),
        watch(DeliveryChannel, (channel) => tracedChannel(channel, spans)),
        watch(WebhookSender, (sender) => sender && tracedSender(sender)),
      ],
    }
  },
})
