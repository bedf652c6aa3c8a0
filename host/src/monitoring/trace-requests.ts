import type { RequestTrace, Tracer } from '@signed-registry/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pathOf } from './requests.js'

const FAILED = 500

/**
 * Traces requests to their last byte, but probes, and in the stock host those that are refused before their address is looked at.
 * `isEmbedded` where an application around may trace them already. Does nothing without a tracer, and where it was done.
 */
export function traceRequests(app: FastifyInstance, tracer: Tracer | undefined, isEmbedded: boolean): void {
  if (tracer === undefined || app.hasRequestDecorator('requestTrace')) return
  app.decorateRequest('requestTrace', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isProbe) return done()
    const trace = tracer.request({ ...asked(request), isEmbedded })
    request.requestTrace = trace
    // Comes also where the caller left, of which Fastify tells nothing.
    reply.raw.once('close', () => {
      const { writableFinished, statusCode } = reply.raw
      const isFailure = (request.problemStatus ?? statusCode) >= FAILED
      trace.end({ status: writableFinished ? statusCode : undefined, code: request.problemCode, isFailure })
    })
    trace.within(done)
  })
  // Bodies are read by events of the connection, which belong to no request.
  app.addHook('preValidation', ({ requestTrace }, _reply, done) =>
    requestTrace === undefined ? done() : requestTrace.within(done),
  )
}

const asked = ({ method, url, is404, routeOptions, raw, headers }: FastifyRequest) => ({
  method,
  path: pathOf(url, routeOptions.url),
  route: is404 ? undefined : routeOptions.url,
  operation: routeOptions.config.operationId,
  from: raw.socket.remoteAddress,
  traceparent: single(headers.traceparent),
  tracestate: single(headers.tracestate),
})

const single = (value: string | readonly string[] | undefined) => (typeof value === 'string' ? value : undefined)

declare module 'fastify' {
  interface FastifyRequest {
    /** Where requests are traced. */
    requestTrace?: RequestTrace | undefined
  }
}
