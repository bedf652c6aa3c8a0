import { addressTest, settledWithin } from '@signed-registry/core'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { AggregatorRegistry, Counter, collectDefaultMetrics, type Registry } from 'prom-client'
import { isReplaced, REPLACED } from '../workers/messages.js'
import type { Siblings } from '../workers/siblings.js'
import { measureRequests } from './requests.js'

const LOOPBACK = ['127.0.0.0/8', '::1']
/** Headers that proxies add: a request through a local proxy is not from this machine. */
const FORWARDED = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'] as const

/** What `/metrics` tells: of the process, and of the database, which is the same for all of them. */
export interface Told {
  readonly metrics: Registry
  readonly kept: Registry
}

/**
 * Serves `/metrics` for Prometheus: process metrics and the duration of every request by method, route and status. Only this
 * machine and these addresses or networks may read them, directly; for anybody else the route does not exist. With workers the
 * figures of all of them are added up.
 */
export function serveMetrics(
  app: FastifyInstance,
  { metrics, kept }: Told,
  addresses: readonly string[] = [],
  siblings?: Siblings,
): void {
  const mayRead = readers(addresses)
  const said = new Map<number, unknown[]>()
  collectDefaultMetrics({ register: metrics })
  measureRequests(app, metrics)
  app.get('/metrics', { schema: { hide: true }, config: { isProbe: true } }, async (request, reply) => {
    if (!mayRead(request)) return reply.callNotFound()
    const ofProcesses = siblings === undefined ? metrics : await ofAll(metrics, siblings, said)
    const ofDatabase = settledWithin(DATABASE_MS, () => kept.metrics()).catch((err: unknown) => {
      request.log.warn({ err }, 'the metrics of the database could not be read')
      return undefined
    })
    const [first, second] = await Promise.all([ofProcesses.metrics(), ofDatabase])
    const text = [first, second ?? '', databaseUp(second !== undefined)].join('\n')
    return reply.header('content-type', metrics.contentType).send(text)
  })
  if (siblings !== undefined) countReplaced(kept, siblings)
  siblings?.on(TOPIC, async () => ({ worker: siblings.number, figures: await metrics.getMetricsAsJSON() }))
}

const TOPIC = 'metrics'
/** Prometheus waits for ten seconds, and would hear nothing of the process either. */
const DATABASE_MS = 5000

const databaseUp = (isUp: boolean): string => `# HELP registry_database_up 1 while the database can be read
# TYPE registry_database_up gauge
registry_database_up ${isUp ? 1 : 0}
`

/** Counts the workers that were replaced, as the process that started them tells all of them alike. */
function countReplaced(kept: Registry, siblings: Siblings): void {
  const counter = new Counter({
    name: 'registry_workers_replaced_total',
    help: 'Workers that were replaced since the host was started: that ended, or hung and were killed',
    labelNames: ['reason'],
    registers: [kept],
  })
  const set = (ended: number, hung: number) => {
    counter.reset()
    counter.inc({ reason: 'ended' }, ended)
    counter.inc({ reason: 'hung' }, hung)
  }
  set(0, 0)
  siblings.on(REPLACED, (body) => {
    if (isReplaced(body)) set(body.ended, body.hung)
  })
}

/**
 * The metrics of all workers together: sums, but where a metric says otherwise. A worker that does not answer counts with what it
 * `said` last: counters that fall would be taken for those of a new process, and all that was counted for new when it answers again.
 */
async function ofAll(metrics: Registry, siblings: Siblings, said: Map<number, unknown[]>): Promise<Registry> {
  const [own, others] = await Promise.all([metrics.getMetricsAsJSON(), siblings.ask(TOPIC, undefined)])
  for (const other of others) if (isSaid(other)) said.set(other.worker, other.figures)
  return AggregatorRegistry.aggregate([own, ...said.values()].map((figures) => figures.map(ofTheWorst)))
}

/** How long event loops are held is told of the worker that is held longest: the others would hide it in an average. */
const ofTheWorst = (figure: unknown): unknown =>
  isLag(figure) && figure.aggregator === 'average' ? { ...figure, aggregator: 'max' } : figure

const isLag = (figure: unknown): figure is { aggregator: unknown } =>
  typeof figure === 'object' &&
  figure !== null &&
  'aggregator' in figure &&
  'name' in figure &&
  String(figure.name).startsWith('nodejs_eventloop_lag_')

const isSaid = (body: unknown): body is { worker: number; figures: unknown[] } =>
  typeof body === 'object' && body !== null && 'worker' in body && 'figures' in body && Array.isArray(body.figures)

function readers(addresses: readonly string[]): (request: FastifyRequest) => boolean {
  const isListed = addressTest([...LOOPBACK, ...addresses])
  return ({ raw, headers }) =>
    isListed(raw.socket.remoteAddress) && FORWARDED.every((name) => headers[name] === undefined)
}
