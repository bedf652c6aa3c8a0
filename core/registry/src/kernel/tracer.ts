import type { Knex } from 'knex'
import { port } from './port.js'

/** A request of HTTP, as it begins. */
export interface TracedRequest {
  readonly method: string
  /** Its path without query and secrets. */
  readonly path: string
  /** The pattern of its path; `undefined` where nothing is served. */
  readonly route: string | undefined
  /** `id` of the operation that it calls, if it calls one. */
  readonly operation: string | undefined
  /** The address that connected: a proxy's where there is one. */
  readonly from: string | undefined
  /** `traceparent` and `tracestate` as they came: anybody can send them. */
  readonly traceparent: string | undefined
  readonly tracestate: string | undefined
  /** True where an application around the registry may trace the request already. */
  readonly isEmbedded: boolean
}

/** How a request ended. */
export interface TracedAnswer {
  /** `undefined` where the caller left before the answer. */
  readonly status: number | undefined
  /** Code of a refusal. */
  readonly code: string | undefined
  /** True where the registry failed, and did not refuse. */
  readonly isFailure: boolean
}

/** A request that is traced. */
export interface RequestTrace {
  /** 32 hexadecimal digits; `undefined` where nobody collects traces. */
  readonly traceId: string | undefined
  /** Does work as part of the request. */
  within<T>(work: () => T): T
  end(answer: TracedAnswer): void
}

/** Traces requests through the registry (W3C Trace Context); a registry without one traces none. */
export interface Tracer {
  /** The current span as `traceparent`: for work that is done later, or elsewhere. */
  traceparent(): string | undefined
  /** Begins to trace a request. */
  request(asked: TracedRequest): RequestTrace
  /** Traces the statements of a pool. */
  statements(pool: Knex): void
  /** Does the work of a transaction, from waiting for its turn to its commit. */
  transaction<T>(work: () => Promise<T>): Promise<T>
}
export const Tracer = port<Tracer | undefined>('Tracer', 'defaulted')
