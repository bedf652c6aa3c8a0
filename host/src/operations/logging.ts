import type { FastifyInstance } from 'fastify'

/** Logger settings that let no header, body, query or SQL value into the log. */
export function logger(level: string, stream?: { write(line: string): void }) {
  return { level, serializers: { err: (error: Error) => errorFacts(error) }, ...(stream && { stream }) }
}

/** One line for each answered request. */
export function logRequests(app: FastifyInstance): void {
  app.addHook('onResponse', (request, reply, done) => {
    request.log.info(
      {
        method: request.method,
        path: request.url.split('?', 1)[0],
        status: reply.statusCode,
        code: request.problemCode,
        ms: Math.round(reply.elapsedTime * 10) / 10,
        ip: request.ip,
      },
      'request',
    )
    done()
  })
}

const MAX_MESSAGE = 500
const MAX_CAUSES = 5

/** What the log keeps of an error. */
interface ErrorFacts {
  type: string
  message: string
  stack: string
  code?: unknown
  cause?: ErrorFacts
  [key: string]: unknown
}

/** Drivers hang whole statements with their values on errors, so only these facts are taken. */
function errorFacts(error: unknown, depth = 0): ErrorFacts {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error).slice(0, MAX_MESSAGE), stack: '' }
  const facts: ErrorFacts = {
    type: error.name,
    message: error.message.slice(0, MAX_MESSAGE),
    stack: (error.stack ?? '').replace(error.message, '').split('\n').slice(1, 12).join('\n'),
  }
  if ('code' in error) facts.code = error.code
  if (error.cause !== undefined && depth < MAX_CAUSES) facts.cause = errorFacts(error.cause, depth + 1)
  return facts
}
