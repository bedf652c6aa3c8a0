import { isUtf8 } from 'node:buffer'
import { type JsonBounds, requestErrors, usualJson } from '@signed-registry/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { jsonProblem } from './json-problem.js'

/** Parses the JSON of a request; rejects when it is malformed, or too large for its route. */
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
      void parse(request, text, (error, value) => {
        if (error === null) resolve(value)
        else reject(requestErrors.error('jsonNotParsed', jsonProblem(text), error))
      })
    })
}

/**
 * Makes this scope accept bodies of `application/json` in UTF-8 and nothing else, within the bounds of the route
 * (`config.json` and `bodyLimit`) or the usual ones.
 */
export function acceptJson(app: FastifyInstance, limit: number): void {
  const read = jsonReader(app)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: Math.min(limit, usualJson.bytes) },
    read,
  )
}

/** Deepest nesting of a JSON body. The deepest request of the specification has 6 levels. */
export const MAX_JSON_DEPTH = 32
/** Bytes beside texts: brackets, numbers and spaces. */
export const MAX_JSON_BESIDE_TEXT = 1024 * 1024

const [QUOTE = 0, BACKSLASH = 0] = Buffer.from('"\\')
const [COMMA, OPEN, CLOSE] = [1, 2, 3]
const KINDS = new Uint8Array(256)
for (const [text, kind] of [
  [',', COMMA],
  ['[{', OPEN],
  [']}', CLOSE],
] as const) {
  for (const byte of Buffer.from(text)) KINDS[byte] = kind
}

/**
 * Finds what would make JSON expensive to parse: brackets nested too deeply, or too many elements and members. One pass
 * without recursion that ends at the first finding, so that refusing costs less than parsing.
 */
export function jsonFault(json: Buffer, values: number): 'tooDeep' | 'tooMany' | undefined {
  let [depth, count, beside] = [0, 0, 0]
  for (let at = 0; at < json.length; at++) {
    const byte = json[at] ?? 0
    if (byte === QUOTE) {
      at = endOfText(json, at)
      continue
    }
    if (++beside > MAX_JSON_BESIDE_TEXT) return 'tooMany'
    const kind = KINDS[byte]
    if (kind === CLOSE) depth--
    else if (kind === OPEN || kind === COMMA) {
      // Each element or member follows a comma or an opening bracket.
      if (++count > values) return 'tooMany'
      if (kind === OPEN && ++depth > MAX_JSON_DEPTH) return 'tooDeep'
    }
  }
  return undefined
}

/** Where the string that opens with the quotation mark at `begin` ends; the end of the input when it is not closed. */
function endOfText(json: Buffer, begin: number): number {
  // indexOf runs at memory speed over base64, which is most of a body.
  const quote = json.indexOf('"', begin + 1)
  if (quote < 0) return json.length
  if (json[quote - 1] !== BACKSLASH) return quote
  let at = begin + 1
  while (at < json.length && json[at] !== QUOTE) at += json[at] === BACKSLASH ? 2 : 1
  return at
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** Bounds of the JSON of a request; `usualJson` unless given. */
    json?: JsonBounds
  }
}
