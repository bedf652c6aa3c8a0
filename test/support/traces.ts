import { context, trace } from '@opentelemetry/api'
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
  type TracerConfig,
} from '@opentelemetry/sdk-trace-node'

/** The SDK of OpenTelemetry as an application registers it, which keeps what it is told. */
export class CollectedTraces {
  private readonly exporter = new InMemorySpanExporter()

  constructor(more: Partial<TracerConfig> = {}) {
    new NodeTracerProvider({ spanProcessors: [new SimpleSpanProcessor(this.exporter)], ...more }).register()
  }

  get spans(): readonly ReadableSpan[] {
    return this.exporter.getFinishedSpans()
  }

  named = (name: string | RegExp): ReadableSpan[] =>
    this.spans.filter((span) => (typeof name === 'string' ? span.name === name : name.test(span.name)))

  forget(): void {
    this.exporter.reset()
  }

  close(): void {
    trace.disable()
    context.disable()
  }
}

export const traceOf = (span: ReadableSpan | undefined): string | undefined => span?.spanContext().traceId
