import { Clock, IdentifySystem, type Registry } from '@signed-registry/core'
import type { FastifyPluginAsync } from 'fastify'
import { allowOrigins } from './browser/cors.js'
import { type ApiSettings, apiScope, defaultApiSettings } from './http/api-scope.js'
import { noRates, type RateSettings, RequestRates } from './limits/request-rates.js'
import { ClientCertificates } from './mutual-tls/client-certificates.js'
import { noProxies, type ProxySettings } from './mutual-tls/proxies.js'
import { authRoutes } from './routes/auth.js'
import { documentNameRoutes } from './routes/document-names.js'
import { documentListRoutes, documentRoutes, documentSettingsRoutes, documentUploadRoutes } from './routes/documents.js'
import { organizationRoutes } from './routes/organization.js'
import { packageRoutes } from './routes/packages.js'
import { routingRoutes } from './routes/routing.js'
import { settingsRoutes } from './routes/settings.js'
import { signatureRoutes } from './routes/signatures.js'
import { utilityRoutes } from './routes/utility.js'
import { identifyCallers } from './session/identify-callers.js'
import { passingSecret } from './session/session-secrets.js'
import { SessionTokens } from './session/session-tokens.js'

/** How callers are told, and held off. */
export interface CallerSettings {
  /** Secrets of session tokens, each of at least 32 bytes: the first signs, all verify. One for this process unless given. */
  readonly sessionSecrets: readonly string[]
  /** No limits unless given. */
  readonly rates: RateSettings
  /** Origins whose pages may call the API; none unless given. */
  readonly corsOrigins: readonly string[]
  /** None unless given. */
  readonly proxies: ProxySettings
}

/** What `registryApi` takes; Fastify adds `prefix`. */
export interface RegistryApiOptions extends Partial<ApiSettings & CallerSettings> {
  readonly registry: Registry
}

/** Fastify plugin: mounts the API (`/api…`) in any application. Its error handling, parsers and limits stay inside it. */
export const registryApi: FastifyPluginAsync<RegistryApiOptions> = async (app, { registry, ...settings }) => {
  const { sessionSecrets = [], rates = noRates, corsOrigins = [], proxies = noProxies } = settings
  const clock = registry.get(Clock)
  const tokens = await SessionTokens.create(sessionSecrets.length > 0 ? sessionSecrets : [passingSecret()], clock)
  const identification = {
    tokens,
    certificates: new ClientCertificates(proxies),
    systems: registry.get(IdentifySystem),
    rates: new RequestRates(rates, () => performance.now()),
  }
  await app.register(
    (scope) =>
      apiScope(
        scope,
        { ...defaultApiSettings, ...settings },
        {
          before(api) {
            allowOrigins(api, corsOrigins)
            identifyCallers(api, identification)
          },
          json(api) {
            authRoutes(api, registry, tokens)
            documentRoutes(api, registry)
            documentListRoutes(api, registry)
            documentSettingsRoutes(api, registry)
            signatureRoutes(api, registry)
            documentNameRoutes(api, registry)
            packageRoutes(api, registry)
            routingRoutes(api, registry)
            settingsRoutes(api, registry)
            organizationRoutes(api, registry)
            utilityRoutes(api, registry)
          },
          uploads(api) {
            documentUploadRoutes(api, registry)
          },
        },
      ),
    { prefix: '/api' },
  )
}
