import type { FastifyRequest } from 'fastify'
import { FORM_REQUEST_BYTES, isForm } from './form.js'

/** Bytes of JSON that a request may have to be parsed of: as many as it declares, or else as its route takes. Originals are not parsed. */
export function jsonBytes(request: FastifyRequest): number {
  const { headers, routeOptions } = request
  if (routeOptions.schema?.consumes !== undefined) return 0
  const declared = Number(headers['content-length'])
  if (Number.isSafeInteger(declared))
    return Math.min(declared, isForm(request) ? FORM_REQUEST_BYTES : routeOptions.bodyLimit)
  return headers['transfer-encoding'] === undefined ? 0 : routeOptions.bodyLimit
}

/** Bytes that a body of JSON may have; those of other types are refused for that, or have limits of their own. */
export function jsonLimit({ headers, routeOptions: { schema, bodyLimit } }: FastifyRequest): number {
  const isJson = /^application\/json\b/i.test(headers['content-type'] ?? '')
  return isJson && schema?.consumes === undefined ? bodyLimit : Number.POSITIVE_INFINITY
}
