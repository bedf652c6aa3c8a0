import type { FastifyInstance } from 'fastify'
import { requestErrors } from '../errors.js'

/** Deepest nesting of a JSON body. The deepest of the specification has 6 levels. */
export const MAX_JSON_DEPTH = 32

/** Makes this scope take bodies of `application/json` in UTF-8 and nothing else. */
export function takeJson(app: FastifyInstance, limit: number): void {
  const parse = app.getDefaultJsonParser('error', 'error')
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  app.removeAllContentTypeParsers()
  app.addContentTypeParser<Buffer>(
    'application/json',
    { parseAs: 'buffer', bodyLimit: limit },
    (request, body, done) => {
      if (isTooDeep(body)) return done(requestErrors.error('jsonNotParsed', { deepest: MAX_JSON_DEPTH }))
      let text: string
      try {
        text = utf8.decode(body)
      } catch {
        return done(requestErrors.error('jsonNotParsed', { problem: 'not UTF-8' }))
      }
      parse(request, text, done)
    },
  )
}

const [QUOTE, BACKSLASH, OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = Buffer.from('"\\[]{}')

/** True when brackets outside strings nest deeper than allowed: seen before parsing, in one pass and without recursion. */
export function isTooDeep(json: Buffer): boolean {
  let depth = 0
  for (let i = 0; i < json.length; i++) {
    const c = json[i]
    if (c === QUOTE) {
      // indexOf runs at memory speed over base64, which is most of a body.
      let end = json.indexOf('"', i + 1)
      while (end > 0 && isEscaped(json, end)) end = json.indexOf('"', end + 1)
      if (end < 0) return false
      i = end
    } else if (c === OPEN_OBJECT || c === OPEN_LIST) {
      if (++depth > MAX_JSON_DEPTH) return true
    } else if (c === CLOSE_OBJECT || c === CLOSE_LIST) depth--
  }
  return false
}

/** True when an odd number of backslashes stands before the quote. */
function isEscaped(json: Buffer, quote: number): boolean {
  let first = quote
  while (json[first - 1] === BACKSLASH) first--
  return (quote - first) % 2 === 1
}
