import { GetVersion, type Registry, TrustStore } from '@signed-registry/core'
import type { FastifyInstance } from 'fastify'
import { type CallerSettings, registryApi } from './api.js'
import { type ApiSettings, defaultApiSettings } from './http/api-scope.js'
import { serveHealth } from './operations/health.js'
import { Measurements } from './operations/measurements.js'
import { serveMetrics } from './operations/metrics.js'
import { serveOpenApi } from './operations/openapi.js'
import { buildServer, type ServerSettings } from './server.js'

/** How the application of the stock host behaves; everything has a default. */
export interface AppSettings extends Partial<ApiSettings & CallerSettings & ServerSettings> {
  /** Figures for `/metrics` beside those of HTTP and the process; give its plugin to `createRegistry`. */
  readonly measurements?: Measurements
}

/** The application of the stock host: the API, its description, health and metrics. It does not listen yet. */
export async function buildApp(registry: Registry, settings: AppSettings = {}): Promise<FastifyInstance> {
  const { logLevel = 'info', tls, measurements, ...rest } = { ...defaultApiSettings, ...settings }
  const app = buildServer({ logLevel, errorsStatus: rest.errorsStatus, tls, trustedProxies: rest.proxies?.trusted })
  serveHealth(app, {
    async database() {
      if (!(await registry.ready())) throw new Error('The database does not answer')
      return 'ok'
    },
    async trust() {
      const { anchors, error } = registry.get(TrustStore).state()
      if (anchors === 0) throw new Error('There are no trust anchors')
      if (error !== undefined) app.log.warn({ error }, 'trust anchors were not loaded again: the last good ones stay')
      return error === undefined ? 'ok' : 'stale'
    },
  })
  serveMetrics(app, (measurements ?? new Measurements()).metrics)
  await serveOpenApi(app, registry.get(GetVersion).execute().version)
  await app.register(registryApi, { registry, ...rest })
  return app
}
