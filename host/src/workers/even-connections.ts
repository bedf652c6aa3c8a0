import type { Socket } from 'node:net'
import type { FastifyInstance } from 'fastify'
import type { Siblings } from './siblings.js'
import { ROUND_MS } from './watch.js'

/** What workers ask each other: how many connections have had an answer in the last round. */
const TOPIC = 'busy connections'
/** A connection is ended after so many answers at the earliest: beside them a new one costs little, and those of browsers have fewer. */
const FIRST_ANSWERS = 100

/**
 * Ends connections of this worker while it has many more busy ones than its siblings, each with an answer that says so, whatever
 * port they came by: the worker that wakes first takes all that wait for one, so that they are divided unevenly (decision 28).
 */
export function evenConnections(app: FastifyInstance, siblings: Siblings, roundMs = ROUND_MS): void {
  const answers = new WeakMap<Socket, number>()
  let busy = new Set<Socket>()
  let count = 0
  let toEnd = 0
  const round = async () => {
    count = [...busy].filter(({ destroyed }) => !destroyed).length
    busy = new Set()
    toEnd = 0
    // Two are never too many, so that a host with little to do asks nothing.
    if (count > 2) toEnd = tooMany(count, (await siblings.ask(TOPIC, undefined)).filter(isCount))
  }
  siblings.on(TOPIC, () => count)
  const timer = setInterval(() => void round(), roundMs).unref()
  app.addHook('onClose', async () => clearInterval(timer))
  app.addHook('onSend', (request, reply, payload, done) => {
    const { socket } = request.raw
    const before = answers.get(socket) ?? 0
    answers.set(socket, before + 1)
    // A client that pipelines would lose the requests that it has already sent.
    if (toEnd > 0 && before >= FIRST_ANSWERS && !request.server.exchanges.hasSentAhead(socket)) {
      toEnd -= 1
      busy.delete(socket)
      reply.header('connection', 'close')
    } else busy.add(socket)
    done(null, payload)
  })
}

/**
 * How many connections a worker ends that has `mine`, where those siblings that answered have so many: half of what it has above
 * the average, as all may come back to one worker, rounded down, so that one or two stay. None while that is less than an eighth
 * above: there it stays, as nothing else moves connections.
 */
export function tooMany(mine: number, others: readonly number[]): number {
  const average = others.reduce((sum, count) => sum + count, mine) / (others.length + 1)
  const above = mine - average
  return above < average / 8 ? 0 : Math.floor(above / 2)
}

const isCount = (body: unknown): body is number => typeof body === 'number'
