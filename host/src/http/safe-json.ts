import type { FastifyInstance } from 'fastify'

const unsafe = /[<>&\u2028\u2029]/g

/** JSON text that is safe inside `<script>`: `<`, `>`, `&`, U+2028 and U+2029 are written as `\uXXXX`. */
export const toSafeJson = (json: string): string =>
  json.replace(unsafe, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Makes every JSON answer of this scope safe inside `<script>`, unless the scope around it does. */
export function answerSafeJson(app: FastifyInstance): void {
  if (app.hasDecorator('answersSafeJson')) return
  app.decorate('answersSafeJson', true)
  app.addHook('onSend', (_request, reply, payload, done) => {
    const isJson = typeof payload === 'string' && String(reply.getHeader('content-type')).startsWith('application/json')
    done(null, isJson ? toSafeJson(payload) : payload)
  })
}
