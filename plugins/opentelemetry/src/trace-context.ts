import {
  type Context,
  context,
  createTraceState,
  isSpanContextValid,
  ROOT_CONTEXT,
  type SpanContext,
  trace,
} from '@opentelemetry/api'

/** W3C Trace Context, 3.2: version, trace, span, flags; later versions may say more. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/** Reads `traceparent` and `tracestate`; `undefined` for anything that is not well-formed. */
export function readTraceparent(traceparent = '', tracestate?: string): SpanContext | undefined {
  const [, version, traceId = '', spanId = '', flags = '', more] = TRACEPARENT.exec(traceparent) ?? []
  if (version === '00' && more !== undefined) return undefined
  const read: SpanContext = {
    traceId,
    spanId,
    // Of the flags only "sampled" has a meaning that we know.
    traceFlags: Number.parseInt(flags, 16) & 1,
    isRemote: true,
    ...(tracestate !== undefined && { traceState: createTraceState(tracestate) }),
  }
  return isSpanContextValid(read) ? read : undefined
}

/** A context that continues a trace; one that begins a new one where there is none. */
export const continuing = (cause: SpanContext | undefined): Context =>
  cause === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, cause)

/** The current span as `traceparent`; `undefined` outside of traces, and where no SDK is registered. */
export function currentTraceparent(): string | undefined {
  const current = trace.getSpanContext(context.active())
  if (current === undefined || !isSpanContextValid(current)) return undefined
  return `00-${current.traceId}-${current.spanId}-0${current.traceFlags & 1}`
}
