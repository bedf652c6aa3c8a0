import { context, isSpanContextValid, ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api'
import type { RequestTrace, TracedRequest, Tracer } from '@signed-registry/core'
import type { Spans } from './spans.js'
import { currentTraceparent, readTraceparent } from './trace-context.js'

const FAILED = 500

/** Follows requests: each begins a trace, unless it comes from an address whose traces are continued. */
export class Requests implements Tracer {
  constructor(
    private readonly spans: Spans,
    private readonly isContinued: (address: string | undefined) => boolean,
  ) {}

  traceparent(): string | undefined {
    return currentTraceparent()
  }

  request({ method, path, route, operation, from, traceparent, tracestate }: TracedRequest): RequestTrace {
    const caller = readTraceparent(traceparent, tracestate)
    const isContinued = caller !== undefined && this.isContinued(from)
    // Of a connection nothing is inherited: another request may have come over it before.
    const parent = isContinued ? trace.setSpanContext(ROOT_CONTEXT, caller) : ROOT_CONTEXT
    const attributes = {
      'http.request.method': method,
      'url.path': path,
      ...(route !== undefined && { 'http.route': route }),
      ...(operation !== undefined && { 'registry.operation': operation }),
    }
    const links = caller === undefined || isContinued ? [] : [{ context: caller }]
    const name = route === undefined ? method : `${method} ${route}`
    const span = this.spans.begin(name, { kind: SpanKind.SERVER, attributes, links }, parent)
    const within = trace.setSpan(parent, span)
    return {
      traceId: isSpanContextValid(span.spanContext()) ? span.spanContext().traceId : undefined,
      within: (work) => context.with(within, work),
      end({ status, code }) {
        if (status !== undefined) span.setAttribute('http.response.status_code', status)
        const failure = status === undefined ? 'aborted' : status >= FAILED ? (code ?? String(status)) : code
        if (failure !== undefined) span.setAttribute('error.type', failure)
        if (status === undefined || status >= FAILED) span.setStatus({ code: SpanStatusCode.ERROR })
        span.end()
      },
    }
  }
}
