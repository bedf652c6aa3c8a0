import type { PageAnswer, PageRequest } from '@signed-registry/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { isHttps } from '../session/cookies.js'

/** A request as pages read it. */
export function pageRequest(request: FastifyRequest, caller: PageRequest['caller'], baseUrl: string): PageRequest {
  const { routeOptions, params, url, headers } = request
  return {
    address: routeOptions.url ?? '',
    params: Object.fromEntries(Object.entries(Object(params)).map(([name, value]) => [name, String(value)])),
    // `//` and `/\\` would begin the name of another host, or be no URL at all.
    url: url.replace(/^[/\\]+/, '/'),
    isHttps: isHttps(request, baseUrl),
    caller,
    header(name) {
      const value = headers[name]
      return typeof value === 'string' ? value : undefined
    },
  }
}

/** Sends what pages answer. */
export const sendPage = (reply: FastifyReply, { status, headers, body }: PageAnswer): FastifyReply =>
  reply
    .code(status)
    .headers(headers)
    .send(typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength))
