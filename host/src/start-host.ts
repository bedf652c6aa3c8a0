import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { createSecureContext } from 'node:tls'
import { createRegistry, type Plugin, type Registry } from '@signed-registry/core'
import { localCertificate } from '@signed-registry/dev-authorities'
import type { FastifyInstance } from 'fastify'
import { buildApp } from './app.js'
import { isForDevelopment, refuseMixedTrust, stockPlugins } from './authorities.js'
import { type Config, ConfigError, readConfig } from './config.js'
import { type Listener, listenForSystems } from './mutual-tls/listen-for-systems.js'
import { Measurements } from './operations/measurements.js'
import { keptSecret } from './session/session-secrets.js'

/** What a host of one's own may choose. */
export interface HostOptions {
  /** Read from `process.env` unless given. */
  readonly config?: Config
  /** All plugins; those of the stock host unless given. Add to them: `[...stockPlugins(config), mine()]`. */
  readonly plugins?: readonly Plugin[]
}

/** A host that listens. */
export interface Host {
  /** Address that people reach it at. */
  readonly url: string
  /** Address that information systems reach it at by mutual TLS, unless that is off. */
  readonly systemsUrl: string | undefined
  /** True with development authorities. */
  readonly forDevelopment: boolean
  readonly app: FastifyInstance
  readonly registry: Registry
  /** Answers what has begun, then closes the registry. */
  close(): Promise<void>
}

/** Starts a registry and listens. Rejects before it listens when configuration, plugins or database are wrong. */
export async function startHost(options: HostOptions = {}): Promise<Host> {
  const config = options.config ?? readConfig(process.env)
  const plugins = options.plugins ?? stockPlugins(config)
  refuseMixedTrust(config, plugins)
  refuseUnusableTls(config)
  // Documents, addresses and keys are nobody else's business on this machine.
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const sessionSecrets = config.sessionSecrets.length > 0 ? config.sessionSecrets : [keptSecret(config.dataDir)]
  const measurements = new Measurements()
  const registry = await createRegistry({
    database: config.databaseUrl,
    plugins: [...plugins, measurements.plugin],
    webhookAddresses: config.webhookAddresses,
  })
  const app = await buildApp(registry, { ...config, sessionSecrets, measurements }).catch(async (error: unknown) => {
    await registry.close()
    throw error
  })
  let systems: Listener | undefined
  app.addHook('preClose', async () => systems?.close())
  app.addHook('onClose', () => registry.close())
  try {
    // Fastify does not see that the server it was given speaks TLS.
    const withScheme = (address: string) => (config.tls === undefined ? address : address.replace(/^http:/, 'https:'))
    const listenTextResolver = (address: string) => `listening at ${withScheme(address)}`
    const address = withScheme(await app.listen({ ...config.listen, listenTextResolver }))
    systems = await listenToSystems(app, config)
    const systemsUrl = systems && `https://${urlHost(config.listen.host)}:${systems.port}`
    if (systemsUrl) app.log.info(`listening to information systems at ${systemsUrl}`)
    registry.start()
    const forDevelopment = isForDevelopment(plugins)
    if (forDevelopment) app.log.warn('development authorities are on: signatures prove nothing')
    return { url: config.baseUrl ?? address, systemsUrl, forDevelopment, app, registry, close: () => app.close() }
  } catch (error) {
    await app.close()
    throw error
  }
}

function refuseUnusableTls({ tls }: Config): void {
  try {
    if (tls !== undefined) createSecureContext({ ...tls })
  } catch (cause) {
    throw new ConfigError(
      'Wrong configuration:\n  TLS_CERT, TLS_KEY: no PEM certificate and the key that belongs to it',
      {
        cause,
      },
    )
  }
}

async function listenToSystems(
  app: FastifyInstance,
  { mutualTls, listen, tls, dataDir, errorsStatus }: Config,
): Promise<Listener | undefined> {
  if (mutualTls === undefined) return undefined
  const { host } = listen
  return listenForSystems(app, {
    host,
    port: mutualTls.port,
    tls: tls ?? localCertificate(join(dataDir, 'mutual-tls')),
    errorsStatus,
  })
}

const urlHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)
