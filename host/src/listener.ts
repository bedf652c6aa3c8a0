import type { IncomingMessage, ServerResponse } from 'node:http'
import { type RegistryApiOptions, registryApi } from './api.js'
import { defaultApiSettings } from './api-scope.js'
import { buildServer } from './server.js'

/** What `registryListener` takes. */
export interface RegistryListenerOptions extends RegistryApiOptions {
  /** Where the API is mounted, in applications that leave the full path in `request.url`; not needed with Express. */
  readonly prefix?: string
  /** `silent` unless given: the surrounding application has a log. */
  readonly logLevel?: string
}

/** The API as a listener of `node:http`; `close` stops the API, not the registry. */
export interface RegistryListener {
  (request: IncomingMessage, response: ServerResponse): void
  close(): Promise<void>
}

/**
 * The API as a request listener, for plain `node:http`, Express and others: `express.use('/registry', listener)`. It reads
 * bodies itself, so it has to come before other body parsers.
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
