import { isUtf8 } from 'node:buffer'
import { type JsonBounds, requestErrors, usualJson } from '@signed-registry/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { jsonProblem } from './json-problem.js'
import { jsonFault, MAX_JSON_DEPTH } from './json-scan.js'

/** Reads the JSON of a request; rejects with what the catalogue says of JSON that is none, or too much for its route. */
export type JsonReader = (request: FastifyRequest, json: Buffer) => Promise<unknown>

export function jsonReader(app: FastifyInstance): JsonReader {
  const parse = app.getDefaultJsonParser('error', 'error')
  return (request, json) =>
    new Promise((resolve, reject) => {
      const { values } = request.routeOptions.config.json ?? usualJson
      const fault = jsonFault(json, values)
      if (fault === 'tooMany') return reject(requestErrors.error('tooManyJsonValues', { limit: values }))
      if (fault === 'tooDeep') return reject(requestErrors.error('jsonNotParsed', { deepest: MAX_JSON_DEPTH }))
      if (!isUtf8(json)) return reject(requestErrors.error('jsonNotParsed', { problem: 'not UTF-8' }))
      const text = json.toString()
      parse(request, text, (error, value) => {
        if (error === null) resolve(value)
        else reject(requestErrors.error('jsonNotParsed', jsonProblem(text), error))
      })
    })
}

/**
 * Makes this scope take bodies of `application/json` in UTF-8 and nothing else, each within the bounds of its route
 * (`config.json` and `bodyLimit`), those of other routes within the usual ones.
 */
export function takeJson(app: FastifyInstance, limit: number): void {
  const read = jsonReader(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: Math.min(limit, usualJson.bytes) },
    read,
  )
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** How large the JSON of a request may be; `usualJson` where nothing is said. */
    json?: JsonBounds
  }
}
