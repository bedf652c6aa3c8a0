import type { FastifyInstance } from 'fastify'

const unsafe = /[<>&\u2028\u2029]/
const everyUnsafe = /[<>&\u2028\u2029]/g

/** JSON text that is safe inside `<script>`: `<`, `>`, `&`, U+2028 and U+2029 are written as `\uXXXX`. */
export function toSafeJson(json: string): string {
  if (!unsafe.test(json)) return json
  return json.replace(everyUnsafe, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)
}

/** Makes every JSON answer of this scope safe inside `<script>`. */
export function answerSafeJson(app: FastifyInstance): void {
  app.addHook('onSend', (_request, reply, payload, done) => {
    const isJson = typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('application/json')
    done(null, isJson ? toSafeJson(payload) : payload)
  })
}
