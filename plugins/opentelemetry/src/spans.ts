import { type Context, context, type Span, type SpanOptions, SpanStatusCode, trace } from '@opentelemetry/api'
import { RegistryError } from '@signed-registry/core'

/** Begins and ends spans. Messages of errors are left out: they may quote what is stored, or an address with a secret. */
export class Spans {
  private readonly tracer = trace.getTracer('@signed-registry/opentelemetry')

  begin(name: string, options: SpanOptions, parent: Context = context.active()): Span {
    return this.tracer.startSpan(name, options, parent)
  }

  /** Does work in a span. */
  async during<T>(
    name: string,
    options: SpanOptions,
    work: (span: Span) => Promise<T>,
    parent: Context = context.active(),
  ): Promise<T> {
    const span = this.begin(name, options, parent)
    try {
      return await context.with(trace.setSpan(parent, span), () => work(span))
    } catch (error) {
      markFailed(span, error)
      throw error
    } finally {
      span.end()
    }
  }
}

/** The registry's refusals are answers, and no failures of its own. */
const FAILURES: ReadonlySet<string> = new Set(['unexpected', 'unavailable', 'full'])

/** Notes the kind of an error in a span (`error.type`). */
export function markFailed(span: Span, error: unknown): void {
  const { code, reason, name }: { code?: unknown; reason?: unknown; name?: unknown } = Object(error)
  const kind = [code, reason, name].find((one) => typeof one === 'string')
  span.setAttribute('error.type', String(kind ?? '_OTHER'))
  if (!(error instanceof RegistryError) || FAILURES.has(error.kind)) span.setStatus({ code: SpanStatusCode.ERROR })
}
