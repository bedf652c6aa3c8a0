import {
  Clock,
  defaultRates,
  Ledger,
  Logger,
  type OperationSpec,
  type RateSettings,
  type Registry,
  RequestRates,
  Sessions,
  Site,
  SystemKeys,
  Tracer,
  WebPages,
} from '@signed-registry/core'
import type { FastifyPluginAsync } from 'fastify'
import { type ApiSettings, apiScope, defaultApiSettings } from './api-scope.js'
import { CallingPages } from './browser/origins.js'
import { servePages } from './browser/serve-pages.js'
import type { Api } from './http/components.js'
import { serveOperations } from './http/serve-operations.js'
import { serveLog } from './log/serve-log.js'
import { traceRequests } from './monitoring/trace-requests.js'
import { ClientCertificates } from './mutual-tls/client-certificates.js'
import { noProxies, type ProxySettings } from './mutual-tls/proxies.js'
import { routesOf } from './routes.js'
import { Callers, HoldOff } from './session/callers.js'
import { newSecret } from './session/kept-secrets.js'
import { SessionSecrets } from './session/session-secrets.js'
import { SessionTokens } from './session/session-tokens.js'

/** How callers are identified and limited. */
export interface CallerSettings {
  /**
   * Secrets of session tokens, each of at least 32 bytes: the first signs, all verify. Unless given, one is generated for this
   * process, with a warning: sessions end when it exits, and other hosts do not accept them.
   */
  readonly sessionSecrets: readonly string[] | SessionSecrets
  /** Those of the stock host unless given; `noRates` for an application that limits by itself. */
  readonly rates: RateSettings
  /** Origins whose pages may call the API; none unless given. */
  readonly corsOrigins: readonly string[]
  /** Pages of every origin may call, anonymously, the operations that need no session; unless it is `false`. */
  readonly corsAnonymous: boolean
  /** None unless given. */
  readonly proxies: ProxySettings
}

/** What `registryApi` takes; Fastify adds `prefix`. */
export interface RegistryApiOptions extends Partial<ApiSettings & CallerSettings> {
  readonly registry: Registry
}

/** Fastify plugin: mounts the API (`/api…`), the log (`/log/…`) and the pages of plugins in any application. Its error handling, parsers and limits stay inside it. */
export const registryApi: FastifyPluginAsync<RegistryApiOptions> = async (app, { registry, ...settings }) => {
  const {
    sessionSecrets = [],
    rates = defaultRates,
    corsOrigins = [],
    corsAnonymous = true,
    proxies = noProxies,
  } = settings
  traceRequests(app, registry.get(Tracer), true)
  const all = routesOf(registry.operations)
  const clock = registry.get(Clock)
  const secrets = sessionSecrets instanceof SessionSecrets ? sessionSecrets : new SessionSecrets(sessionSecrets)
  if (secrets.all.length === 0) registry.get(Logger).warn('no sessionSecrets: sessions end with this process')
  const tokens = await SessionTokens.create(secrets.all.length > 0 ? secrets.all : [newSecret()], clock)
  secrets.usedBy((next) => tokens.replace(next))
  const longestJson = (settings.limits ?? defaultApiSettings.limits).json
  const callers = new Callers({
    tokens,
    certificates: new ClientCertificates(proxies),
    sessions: registry.get(Sessions),
    systems: registry.get(SystemKeys),
    rates: new RequestRates(rates, () => performance.now(), 'api'),
    holdOff: new HoldOff(app, rates.holdMs),
  })
  const baseUrl = () => registry.get(Site).baseUrl
  const serve = (isServed: (spec: OperationSpec) => boolean) => (api: Api) =>
    serveOperations(
      api,
      registry,
      all.filter(({ operation }) => isServed(operation)),
      longestJson,
    )
  await app.register(
    (scope) =>
      apiScope(scope, { ...defaultApiSettings, ...settings }, registry.get(Ledger), {
        admission: (prefix) => ({
          callers,
          pages: new CallingPages({
            ...{ prefix, baseUrl, listed: corsOrigins, methods: all.map(({ method }) => method) },
            forAnybody: corsAnonymous ? all.filter(({ operation }) => operation.openToOrigins) : [],
          }),
        }),
        json: serve(({ upload, form, stream }) => !upload && !form && !stream),
        forms: serve(({ form }) => form === true),
        uploads: serve(({ upload }) => upload === true),
        streams: serve(({ stream }) => stream === true),
      }),
    { prefix: '/api' },
  )
  servePages(app, registry.get(WebPages), baseUrl, callers)
  serveLog(app, registry)
}
