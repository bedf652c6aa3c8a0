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
}

/** A request that is followed. */
export interface RequestTrace {
  /** 32 hexadecimal digits; `undefined` where nobody collects traces. */
  readonly traceId: string | undefined
  /** Does work as part of the request. */
  within<T>(work: () => T): T
  /** Ends it with its answer: `status` is `undefined` where the caller went away first, `code` that of a refusal. */
  end(answer: { readonly status: number | undefined; readonly code: string | undefined }): void
}

/** Follows requests through the registry (W3C Trace Context); a registry without one follows none. */
export interface Tracer {
  /** What is under way, as `traceparent`: for work that goes on later, or elsewhere. */
  traceparent(): string | undefined
  /** Begins to follow a request. */
  request(asked: TracedRequest): RequestTrace
}
export const Tracer = port<Tracer | undefined>('Tracer', 'defaulted')
