import { context, isSpanContextValid, ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api'
import type { RequestTrace, TracedRequest, Tracer } from '@signed-registry/core'
import type { Spans } from './spans.js'
import { followStatements } from './statements.js'
import { continuing, currentTraceparent, readTraceparent } from './trace-context.js'

/** Begins a trace with each request, unless it comes from an address whose traces are continued. */
export class OpenTelemetryTracer implements Tracer {
  constructor(
    private readonly spans: Spans,
    private readonly isContinued: (address: string | undefined) => boolean,
  ) {}

  traceparent(): string | undefined {
    return currentTraceparent()
  }

  request(asked: TracedRequest): RequestTrace {
    const { method, path, route, operation } = asked
    const { parent, links } = this.origin(asked)
    const attributes = {
      'http.request.method': method,
      'url.path': path,
      ...(route !== undefined && { 'http.route': route }),
      ...(operation !== undefined && { 'registry.operation': operation }),
    }
    const around = trace.getSpanContext(parent)
    const kind = around === undefined || around.isRemote ? SpanKind.SERVER : SpanKind.INTERNAL
    const span = this.spans.begin(
      route === undefined ? method : `${method} ${route}`,
      { kind, attributes, links },
      parent,
    )
    const within = trace.setSpan(parent, span)
    return {
      traceId: isSpanContextValid(span.spanContext()) ? span.spanContext().traceId : undefined,
      within: (work) => context.with(within, work),
      end: ({ status, code, isFailure }) => {
        if (status === undefined) this.spans.end(span, { failure: 'aborted', isError: true })
        else {
          const failure = code ?? (isFailure ? String(status) : undefined)
          this.spans.end(span, { attributes: { 'http.response.status_code': status }, failure, isError: isFailure })
        }
      },
    }
  }

  statements = (pool: Parameters<Tracer['statements']>[0]): void => followStatements(pool, this.spans)

  transaction<T>(work: () => Promise<T>): Promise<T> {
    return this.spans.during('transaction', {}, work)
  }

  /** What a request belongs to. From the connection nothing is inherited: it may have carried another request. */
  private origin({ from, traceparent, tracestate, isEmbedded }: TracedRequest) {
    if (isEmbedded && trace.getActiveSpan() !== undefined) return { parent: context.active(), links: [] }
    const caller = readTraceparent(traceparent, tracestate)
    if (caller === undefined || this.isContinued(from)) return { parent: continuing(caller), links: [] }
    return { parent: ROOT_CONTEXT, links: [{ context: caller }] }
  }
}
