import type { RequestTrace, Tracer } from '@signed-registry/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { pathOf } from './requests.js'

/** Follows every request but probes, from its first byte to the end of its answer. */
export function traceRequests(app: FastifyInstance, tracer: Tracer): void {
  app.decorateRequest('trace', undefined)
  app.addHook('onRequest', (request, reply, done) => {
    if (request.routeOptions.config.isProbe) return done()
    const trace = tracer.request(asked(request))
    request.trace = trace
    // Comes also where the caller went away, of which Fastify tells nothing.
    reply.raw.once('close', () => {
      trace.end({
        status: reply.raw.writableFinished ? reply.raw.statusCode : undefined,
        code: request.problemCode,
      })
    })
    trace.within(done)
  })
  // Bodies are read by events of the connection, which belong to no request.
  app.addHook('preValidation', ({ trace }, _reply, done) => (trace === undefined ? done() : trace.within(done)))
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
    trace?: RequestTrace | undefined
  }
}
