import type { IncomingMessage, ServerResponse } from 'node:http'
import { type RegistryApiOptions, registryApi } from './api.js'
import { defaultApiSettings } from './api-scope.js'
import { buildServer } from './server.js'

/** What `registryListener` takes. */
export interface RegistryListenerOptions extends RegistryApiOptions {
  /** Where the API is mounted in an application that leaves the whole address in `request.url`; nothing for Express. */
  readonly prefix?: string
  /** `silent` unless given: the application around it has a log. */
  readonly logLevel?: string
}

/** The API as `node:http` calls it; `close` ends what it has begun, not the registry. */
export interface RegistryListener {
  (request: IncomingMessage, response: ServerResponse): void
  close(): Promise<void>
}

/**
 * The API as a request listener, for plain `node:http`, Express and others: `express.use('/registry', listener)`. It reads
 * bodies itself, so it has to come before anything that does.
 */
export async function registryListener(options: RegistryListenerOptions): Promise<RegistryListener> {
  const { prefix = '', logLevel = 'silent', ...rest } = options
  const { errorsStatus, pace } = { ...defaultApiSettings, ...rest }
  const app = buildServer({ logLevel, errorsStatus, pace, trustedProxies: rest.proxies?.trusted })
  await app.register(registryApi, { prefix, ...rest })
  await app.ready()
  const listener = (request: IncomingMessage, response: ServerResponse) => app.routing(request, response)
  return Object.assign(listener, { close: () => app.close() })
}
