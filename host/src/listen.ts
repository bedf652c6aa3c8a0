import type { FastifyInstance } from 'fastify'
import { type Config, ConfigError } from './config/config.js'
import { urlHost } from './config/own-address.js'
import { quietTurn } from './limits/quiet-turn.js'
import { type Listener, listenForSystems } from './listen-for-systems.js'
import type { ServerCertificate } from './tls/server-certificate.js'

/** Listens on every port, and logs that once all of them listen. */
export async function listen(
  app: FastifyInstance,
  config: Config,
  forSystems: ServerCertificate | undefined,
): Promise<{ url: string; systemsUrl: string | undefined }> {
  const { listen: people, mutualTls, tls, api } = config
  const { host } = people
  let systems: Listener | undefined
  let closed: Promise<void> | undefined
  // Held calls are let go by later hooks of this kind, and uploads may take longer than Fastify lets hooks before its close.
  app.addHook('preClose', async () => {
    closed = systems?.close()
    await quietTurn(app.server)
  })
  app.addHook('onClose', () => closed)
  await app.ready()
  if (mutualTls !== undefined && forSystems !== undefined) {
    const { port } = mutualTls
    systems = await listenForSystems(app, {
      host,
      port,
      tls: forSystems,
      errorsStatus: api.errorsStatus,
      connectionsPerAddress: config.connectionsPerAddress,
      trustedProxies: api.proxies.trusted,
    }).catch(cannotListen('MTLS_PORT', host, port))
  }
  const systemsUrl = systems && `https://${urlHost(host)}:${systems.port}`
  // Fastify does not notice that the server it was given uses TLS.
  const withScheme = (address: string) => (tls === undefined ? address : address.replace(/^http:/, 'https:'))
  const listenTextResolver = (address: string) => `listening at ${withScheme(address)}`
  const url = withScheme(
    await app.listen({ ...people, listenTextResolver }).catch(cannotListen('PORT', host, people.port)),
  )
  if (systemsUrl) app.log.info(`listening to information systems at ${systemsUrl}`)
  return { url, systemsUrl }
}

/** Names the variable that prevents a host from listening. */
const cannotListen =
  (variable: 'PORT' | 'MTLS_PORT', host: string, port: number) =>
  (cause: unknown): never => {
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    if (code === 'EADDRINUSE') {
      const hint =
        variable === 'PORT' ? 'another one, or 0 for any free one' : 'another one, 0 for any free one, or off'
      throw new ConfigError([`${variable}: ${port} is in use at ${host}: set it to ${hint}`], { cause })
    }
    if (code === 'EACCES')
      throw new ConfigError([`${variable}: ${port} may not be listened at by this user`], { cause })
    if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND' || code === 'EAI_AGAIN' || code === 'EINVAL')
      throw new ConfigError([`HOST: ${host} is no address of this machine`], { cause })
    throw cause
  }
