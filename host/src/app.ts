import { Database, defaultRates, Ledger, type Registry, Site, Tracer, WebPages } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'
import { type CallerSettings, registryApi } from './api.js'
import { type ApiSettings, defaultApiSettings } from './api-scope.js'
import { serveFrontPage } from './browser/front-page.js'
import { unknownPage } from './browser/unknown-page.js'
import { handleUnsubscribe, serveUnsubscribePage, UNSUBSCRIBE_PATH } from './browser/unsubscribe-page.js'
import { gaugeCertificates } from './monitoring/certificate-gauges.js'
import { gaugeChecks } from './monitoring/check-gauges.js'
import { serveHealth } from './monitoring/health.js'
import { Measurements } from './monitoring/measurements.js'
import { serveMetrics } from './monitoring/metrics.js'
import { serveOpenApi } from './monitoring/openapi.js'
import { gaugeRenewal } from './monitoring/renewal-gauges.js'
import { traceRequests } from './monitoring/trace-requests.js'
import { buildServer, type ServerSettings } from './server.js'
import { evenConnections } from './workers/even-connections.js'
import type { Siblings } from './workers/siblings.js'

/** How the application of the stock host behaves; everything has a default. */
export interface AppSettings extends Partial<ApiSettings & CallerSettings & ServerSettings> {
  /** Metrics beside those of HTTP and the process; pass its plugin to `createRegistry`. */
  readonly measurements?: Measurements
  /** Addresses or networks that may read `/metrics`, in addition to this machine. */
  readonly metricsAddresses?: readonly string[]
  /** The other workers of this host; none unless given. */
  readonly siblings?: Siblings | undefined
}

/** The application of the stock host: the API, its description, health and metrics. Not listening yet. */
export async function buildApp(registry: Registry, settings: AppSettings = {}): Promise<FastifyInstance> {
  const { logLevel = 'info', logStream, tls, measurements, memory, ...rest } = { ...defaultApiSettings, ...settings }
  const { errorsStatus, proxies, connectionsPerAddress, pace, rates = defaultRates } = rest
  const pages = registry.get(WebPages)
  const app = buildServer({
    logLevel,
    logStream,
    errorsStatus,
    tls,
    trustedProxies: proxies?.trusted,
    connectionsPerAddress,
    pace,
    worker: settings.siblings?.number,
    memory,
    rates,
    unknownPage: unknownPage(pages, () => registry.get(Site).baseUrl),
  })
  if (settings.siblings !== undefined) evenConnections(app, settings.siblings)
  traceRequests(app, registry.get(Tracer), false)
  serveHealth(app, () => registry.readiness())
  const figures = measurements ?? new Measurements()
  figures.watchDeliveries(registry)
  figures.watchShares(registry.get(Ledger))
  figures.watchLog(registry)
  figures.watchReplica(registry.get(Database))
  gaugeRenewal(figures.kept, registry)
  gaugeCertificates(figures.kept, registry)
  gaugeChecks(figures.kept, registry)
  serveMetrics(app, figures, settings.metricsAddresses, settings.siblings)
  const { addresses } = pages
  if (!addresses.includes('/')) serveFrontPage(app)
  if (!addresses.includes(UNSUBSCRIBE_PATH)) serveUnsubscribePage(app, registry)
  handleUnsubscribe(app, registry, { listed: rest.corsOrigins ?? [], baseUrl: () => registry.get(Site).baseUrl })
  serveOpenApi(app, registry)
  await app.register(registryApi, { registry, ...rest })
  return app
}
