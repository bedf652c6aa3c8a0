import {
  type Attributes,
  type Context,
  context,
  INVALID_SPAN_CONTEXT,
  type Span,
  type SpanOptions,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api'

/** How a span ends: `failure` is the kind of an error or a refusal (`error.type`). */
export interface Ended {
  readonly attributes?: Attributes
  readonly failure?: string | undefined
  /** True where what failed is more than a refusal. */
  readonly isError?: boolean
}

interface During<T> {
  /** Unless given, work that belongs to no trace is in none. */
  readonly parent?: Context
  /** Ends the span, too, where the work goes on all the same. */
  readonly signal?: AbortSignal
  readonly ended?: (result: T) => Ended
}

/**
 * The only way to the SDK: what a sampler or a processor throws neither reaches the registry nor keeps anything from being
 * stored. Messages of errors are left out of spans: they may quote what is stored, or an address with a secret.
 */
export class Spans {
  private readonly tracer = trace.getTracer('@signed-registry/opentelemetry')

  begin(name: string, options: SpanOptions, parent: Context = context.active()): Span {
    try {
      return this.tracer.startSpan(name, options, parent)
    } catch {
      return trace.wrapSpanContext(INVALID_SPAN_CONTEXT)
    }
  }

  end(span: Span, { attributes = {}, failure, isError = false }: Ended = {}): void {
    try {
      span.setAttributes(failure === undefined ? attributes : { ...attributes, 'error.type': failure })
      if (isError) span.setStatus({ code: SpanStatusCode.ERROR })
      span.end()
    } catch {
      // The SDK's own affair.
    }
  }

  /** Does work in a span. */
  async during<T>(name: string, options: SpanOptions, work: () => Promise<T>, more: During<T> = {}): Promise<T> {
    if (more.parent === undefined && trace.getActiveSpan() === undefined) return work()
    const { parent = context.active(), signal, ended = () => ({}) } = more
    const span = this.begin(name, options, parent)
    let isEnded = false
    const end = (how: Ended) => {
      if (!isEnded) this.end(span, how)
      isEnded = true
    }
    signal?.addEventListener('abort', () => end({ failure: 'timeout', isError: true }), { once: true })
    try {
      const result = await context.with(trace.setSpan(parent, span), work)
      end(ended(result))
      return result
    } catch (error) {
      end(failureOf(error))
      throw error
    }
  }
}

/** Refusals of the registry are answers, and no failures of its own. */
const FAILURES: ReadonlySet<unknown> = new Set(['unexpected', 'unavailable', 'full'])

/** The kind of an error, and whether it is more than a refusal. */
export function failureOf(error: unknown): Ended {
  const { code, reason, name, kind }: { code?: unknown; reason?: unknown; name?: unknown; kind?: unknown } =
    Object(error)
  const failure = [code, reason, name].find((one) => typeof one === 'string')
  return { failure: String(failure ?? '_OTHER'), isError: kind === undefined || FAILURES.has(kind) }
}
